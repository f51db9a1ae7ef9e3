// The summarization document's YAML blocks, parsed, as options.
import { isObject, refuse, refuseKeys, type SummarizationOptions } from './options.js';

const CONFIG_KEYS: ReadonlyMap<string, keyof SummarizationOptions> = new Map([
  ['enabled', 'enabled'],
  ['model_name', 'model'],
  ['trigger', 'trigger'],
  ['keep', 'keep'],
  ['trim_tokens_to_summarize', 'trimTokensToSummarize'],
  ['summary_prompt', 'summaryPrompt'],
  ['preserve_recent_skill_count', 'preserveRecentSkillCount'],
  ['preserve_recent_skill_tokens', 'preserveRecentSkillTokens'],
  ['preserve_recent_skill_tokens_per_skill', 'preserveRecentSkillTokensPerSkill'],
  ['skill_file_read_tool_names', 'skillFileReadToolNames'],
]);

/**
 * Reads the document's YAML block, parsed: `{ summarization: { enabled: true, … } }`, or what stands under that key.
 * Throws a `ContinuityError` for unknown keys; values are checked when the middleware is made.
 */
export function readSummarizationConfig(block: unknown): SummarizationOptions {
  const inner = isObject(block) && 'summarization' in block ? block['summarization'] : block;
  if (inner === null || inner === undefined) return {};
  if (!isObject(inner)) return refuse('summarization', inner, 'a block of options');
  const unknown = Object.keys(inner).filter((key) => !CONFIG_KEYS.has(key));
  if (unknown.length > 0) refuseKeys(unknown, [...CONFIG_KEYS.keys()]);
  return Object.fromEntries(Object.entries(inner).map(([key, value]) => [CONFIG_KEYS.get(key), value]));
}
