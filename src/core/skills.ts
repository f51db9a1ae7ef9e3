// Which skill files stay in the context although the messages around them are summarised.
import type { Message } from './message.js';
import type { CountTokens } from './tokens.js';

export interface SkillRules {
  /** How many reads are rescued at most; 0 rescues none. */
  readonly count: number;
  /** Tokens of all rescued results together; 0 rescues none. */
  readonly tokens: number;
  /** Tokens of one read's results; as many are allowed. */
  readonly tokensPerSkill: number;
  /** Messages of all rescued reads together; no limit when absent. */
  readonly messages?: number;
  readonly toolNames: readonly string[];
  /** The folder below which files are skills, like `/mnt/skills`. */
  readonly root: string;
}

/**
 * Indexes of the messages to rescue: calls that read skill files, each whole with all its results, newest first
 * while the budgets last. A skill is taken once; paths are normalised, so `/mnt/skills/../etc` is none.
 */
export function rescuedSkills(
  messages: readonly Message[],
  rules: SkillRules,
  count: CountTokens,
): ReadonlySet<number> {
  const rescued = new Set<number>();
  if (rules.count <= 0 || rules.tokens <= 0) return rescued;
  const { messages: maxMessages = Number.POSITIVE_INFINITY } = rules;
  const taken = new Set<string>();
  let spent = 0;
  for (let index = messages.length - 1; index >= 0 && taken.size < rules.count; index -= 1) {
    const reads = skillReads(messages[index], rules);
    if (reads.size === 0) continue;
    const group = [index, ...resultsAfter(messages, index)];
    const read = group
      .map((at) => messages[at])
      .filter((message) => message !== undefined)
      .filter(({ tool_call_id: id }) => id !== null && reads.has(id));
    if (read.length === 0 || rescued.size + group.length > maxMessages) continue;
    const paths = [...new Set(reads.values())].sort().join('\n');
    const size = count(read);
    if (taken.has(paths) || size > rules.tokensPerSkill || spent + size > rules.tokens) continue;
    taken.add(paths);
    spent += size;
    for (const at of group) rescued.add(at);
  }
  return rescued;
}

/** Paths of skill files by the id of the call that reads them. */
function skillReads(message: Message | undefined, rules: SkillRules): ReadonlyMap<string, string> {
  const reads = new Map<string, string>();
  for (const { id, name, args } of message?.tool_calls ?? []) {
    if (id === null || !rules.toolNames.includes(name)) continue;
    const path = pathOf(args);
    if (path !== null && isBelow(path, rules.root)) reads.set(id, normalizePath(path));
  }
  return reads;
}

function resultsAfter(messages: readonly Message[], index: number): readonly number[] {
  const results: number[] = [];
  for (let at = index + 1; messages[at]?.type === 'tool'; at += 1) results.push(at);
  return results;
}

function pathOf(args: unknown): string | null {
  if (typeof args !== 'object' || args === null) return null;
  const { path, file_path, filepath } = args as Readonly<Record<string, unknown>>;
  const found = [path, file_path, filepath].find((one) => typeof one === 'string' && one !== '');
  return typeof found === 'string' ? found : null;
}

function isBelow(path: string, root: string): boolean {
  const normal = normalizePath(path);
  const base = normalizePath(root);
  return normal === base || normal.startsWith(base === '/' ? '/' : `${base}/`);
}

/** `.`, `..` and doubled slashes resolved; no trailing slash. */
export function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}
