// `npm test`: installs what is missing, runs every check and test, and ends with "N passed, N failed".
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium, ensureDependencies, root, run } from './prepare.mjs';

ensureDependencies();
await ensureChromium();

const reports = join(root, 'build', 'reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

function count(name, result) {
  for (const key of Object.keys(total)) total[key] += result[key];
  if (result.failed > 0) failures.push(name);
}

/** A step that passes or fails as a whole. */
function check(name, command, args) {
  console.log(`\n── ${name}`);
  const ok = run(command, args) === 0;
  count(name, { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });
  return ok;
}

/**
 * A test run; a run that fails without a failed test counts as one failure, and so does one without any test: where
 * all are skipped, each said why.
 */
function tests(name, command, args, env, readReport) {
  console.log(`\n── ${name}`);
  const file = join(reports, `${name.replaceAll(' ', '-')}.json`);
  const code = run(command, [...args, ...(env === undefined ? [`--outputFile.json=${file}`] : [])], {
    env: env?.(file),
  });
  let result = { passed: 0, failed: 0, skipped: 0 };
  try {
    result = readReport(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    console.error(`${name}: no readable report (${error.message})`);
  }
  const broken = result.failed === 0 && (code !== 0 || result.passed + result.skipped === 0);
  count(name, broken ? { ...result, failed: 1 } : result);
}

const ofVitest = (report) => ({
  passed: report.numPassedTests,
  failed: report.numFailedTests,
  skipped: report.numPendingTests + report.numTodoTests,
});
const ofPlaywright = ({ stats }) => ({
  passed: stats.expected + stats.flaky,
  failed: stats.unexpected,
  skipped: stats.skipped,
});
const vitest = ['run', '--reporter=default', '--reporter=json'];

check('lint', 'biome', ['ci', '.']);
check('types', 'tsc', ['-p', '.']);
check('types of the worker', 'tsc', ['-p', 'worker']);
tests('unit tests', 'vitest', [...vitest, '--project', 'unit'], undefined, ofVitest);
const built =
  check('build of the package', 'npm', ['run', '--silent', 'build']) &&
  check('build of the demo', 'npm', ['run', '--silent', 'build:demo', '--', '--logLevel', 'warn']);
if (built) {
  check('package as published', 'node', ['scripts/check-package.mjs']);
  tests('browser tests', 'vitest', [...vitest, '--project', 'browser'], undefined, ofVitest);
  tests(
    'end-to-end tests',
    'playwright',
    ['test', '-c', 'e2e', '--reporter=list,json'],
    (file) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: file }),
    ofPlaywright,
  );
  tests(
    'core promises in other engines',
    'node',
    ['scripts/test-engines.mjs', '--reporter=./test/engines/reporter.ts,json'],
    (file) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: file }),
    ofPlaywright,
  );
}
tests(
  'live check on scripted models',
  'playwright',
  ['test', '-c', 'test/live', '--reporter=list,json'],
  (file) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: file }),
  ofPlaywright,
);
// In short; `npm run test:survival` takes some minutes.
tests(
  'survival tests',
  'playwright',
  ['test', '-c', 'test/survival', '--reporter=list,json'],
  (file) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: file, KILLS: '12', ROUNDS: '1' }),
  ofPlaywright,
);

if (failures.length > 0) console.log(`\nFailed: ${failures.join(', ')}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = total.failed > 0 ? 1 : 0;
