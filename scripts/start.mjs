// `npm start`: installs what is missing, builds package and demo, serves the demo.
import { ensureDependencies, must, root } from './prepare.mjs';

ensureDependencies();
must('npm', ['run', '--silent', 'build']);
must('npm', ['run', '--silent', 'build:demo', '--', '--logLevel', 'warn']);

const { preview } = await import('vite');
const port = Number(process.env.PORT ?? 4173);
const server = await preview({
  configFile: `${root}/vite.config.ts`,
  mode: 'dist',
  preview: { port, strictPort: process.env.PORT !== undefined },
});
console.log(
  `\nthreadkeep demo: ${server.resolvedUrls?.local[0] ?? `http://localhost:${port}/`}\n(Ctrl+C stops it)`,
);
