// The summarization document's options: their defaults, their ranges, and the refusal of everything else.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { BaseMessage } from '@langchain/core/messages';
import type { Continuity } from '../continuity.js';
import type { ContextSize } from '../core/partition.js';
import { ContinuityError } from '../errors.js';
import type { EventListener } from '../events.js';

/** A model that summarises: an instance, a function that makes one, or a name for `resolveModel`. */
export type SummaryModel = BaseChatModel | (() => BaseChatModel | Promise<BaseChatModel>) | string;

export interface SummarizationOptions {
  /** Off unless true; when off, every request passes as it is. */
  readonly enabled?: boolean;
  /** Null for the run's own model. A lightweight one saves money. */
  readonly model?: SummaryModel | null;
  /** Finds the model of a name. Needed when `model` is a string. */
  readonly resolveModel?: (name: string) => BaseChatModel | Promise<BaseChatModel>;
  /** When to compact: any of these reached is enough. Needed when enabled. */
  readonly trigger?: ContextSize | readonly ContextSize[];
  /** How much of the end stays; `{ type: 'messages', value: 20 }` by default. */
  readonly keep?: ContextSize;
  /** Tokens of the messages that the summariser sees; null for all of them; 4,000 by default. */
  readonly trimTokensToSummarize?: number | null;
  /** Summaries that are folded into one before it is made anew from all that it covers; 8 by default. */
  readonly refreshAfterFolds?: number;
  /** A prompt of your own; `{messages}` stands for the conversation, which otherwise comes last. */
  readonly summaryPrompt?: string | null;
  /** Skill reads that stay word for word; 5 by default, 0 for none. */
  readonly preserveRecentSkillCount?: number;
  /** Tokens of all of them; 25,000 by default. */
  readonly preserveRecentSkillTokens?: number;
  /** Tokens of each; 5,000 by default. */
  readonly preserveRecentSkillTokensPerSkill?: number;
  /** Tools that read skill files; `read_file`, `read`, `view`, `cat` by default. */
  readonly skillFileReadToolNames?: readonly string[];
  /** The folder of the skill files; `/mnt/skills` by default. */
  readonly skillsPath?: string;
  /** Counts messages in place of the estimate. */
  readonly tokenCounter?: (messages: readonly BaseMessage[]) => number;
  /** The run's model's window in tokens, for fractions; by default what the model's profile says. */
  readonly windowTokens?: number;
  /** Text of the event that tells of a running summary. */
  readonly compactingMessage?: string;
  /** Milliseconds that a summary may take; 60,000 by default. */
  readonly summaryTimeoutMs?: number;
  /** Threads whose summaries this process remembers, for all agents together; 128 by default. */
  readonly cacheSize?: number;
  /** What `compactThread` does unless told otherwise: also remove covered messages that are archived. Off by default. */
  readonly prune?: boolean;
  /** The user of runs that name none; `local` by default. */
  readonly user?: string;
  /** Where covered messages are archived; without it nothing is. */
  readonly continuity?: Continuity;
  readonly onEvent?: EventListener;
}

export type ResolvedSummarization = Required<
  Omit<
    SummarizationOptions,
    | 'trigger'
    | 'cacheSize'
    | 'resolveModel'
    | 'tokenCounter'
    | 'windowTokens'
    | 'user'
    | 'continuity'
    | 'onEvent'
  >
> & {
  readonly triggers: readonly ContextSize[];
} & Pick<
    SummarizationOptions,
    'cacheSize' | 'resolveModel' | 'tokenCounter' | 'windowTokens' | 'user' | 'continuity' | 'onEvent'
  >;

const DEFAULTS = {
  keep: { type: 'messages', value: 20 },
  trimTokensToSummarize: 4_000,
  refreshAfterFolds: 8,
  preserveRecentSkillCount: 5,
  preserveRecentSkillTokens: 25_000,
  preserveRecentSkillTokensPerSkill: 5_000,
  skillFileReadToolNames: ['read_file', 'read', 'view', 'cat'],
  skillsPath: '/mnt/skills',
  compactingMessage: '正在压缩上下文…',
  summaryTimeoutMs: 60_000,
  prune: false,
} as const;

/** Checks the options and fills in the defaults. Throws a `ContinuityError` that names key, value and what is allowed. */
export function resolveSummarization(options: SummarizationOptions): ResolvedSummarization {
  const { enabled = false, model = null, trigger, keep = DEFAULTS.keep, summaryPrompt = null } = options;
  const trim =
    options.trimTokensToSummarize === undefined
      ? DEFAULTS.trimTokensToSummarize
      : options.trimTokensToSummarize;
  if (typeof enabled !== 'boolean') refuse('enabled', enabled, 'true or false');
  const triggers = trigger === undefined ? [] : isList(trigger) ? trigger : [trigger];
  if (enabled && triggers.length === 0) {
    refuse('trigger', trigger, "at least one size like { type: 'tokens', value: 4000 } when enabled");
  }
  for (const size of triggers) checkSize('trigger', size);
  checkSize('keep', keep);
  if (trim !== null) checkWhole('trimTokensToSummarize', trim, 1, 'null for no trimming');
  if (options.windowTokens !== undefined) checkWhole('windowTokens', options.windowTokens, 1);
  if (typeof model === 'string' && options.resolveModel === undefined) {
    refuse('model', model, 'a name together with resolveModel, which finds its model; or a model instance');
  }
  if (summaryPrompt !== null && (typeof summaryPrompt !== 'string' || summaryPrompt.trim() === '')) {
    refuse('summaryPrompt', summaryPrompt, 'a prompt, or null for the default');
  }
  const resolved = {
    ...DEFAULTS,
    ...given(options),
    enabled,
    model,
    triggers,
    keep,
    trimTokensToSummarize: trim,
    summaryPrompt,
  };
  for (const key of [
    'preserveRecentSkillCount',
    'preserveRecentSkillTokens',
    'preserveRecentSkillTokensPerSkill',
  ] as const) {
    checkWhole(key, resolved[key], 0);
  }
  checkWhole('summaryTimeoutMs', resolved.summaryTimeoutMs, 1);
  checkWhole('refreshAfterFolds', resolved.refreshAfterFolds, 1);
  if (resolved.cacheSize !== undefined) checkWhole('cacheSize', resolved.cacheSize, 1);
  if (typeof resolved.prune !== 'boolean') refuse('prune', resolved.prune, 'true or false');
  const { skillFileReadToolNames: names } = resolved;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    refuse('skillFileReadToolNames', names, 'a list of tool names');
  }
  return resolved;
}

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
  const entries = Object.entries(inner).map(([key, value]) => {
    const name = CONFIG_KEYS.get(key);
    if (name === undefined)
      return refuse(`summarization.${key}`, value, `the keys ${[...CONFIG_KEYS.keys()].join(', ')}`);
    return [name, value];
  });
  return Object.fromEntries(entries);
}

const SIZE_TYPES = ['tokens', 'messages', 'fraction'];

function checkSize(key: string, size: unknown): void {
  const allowed =
    '{ type: tokens | messages, value: a whole number from 1 } or { type: fraction, value: above 0, at most 1 }';
  if (!isObject(size)) refuse(key, size, allowed);
  const { type, value } = size;
  if (!SIZE_TYPES.includes(String(type)) || typeof value !== 'number') refuse(key, size, allowed);
  const isAllowed = type === 'fraction' ? value > 0 && value <= 1 : Number.isInteger(value) && value >= 1;
  if (!isAllowed) refuse(key, size, allowed);
}

function checkWhole(key: string, value: unknown, least: number, or = ''): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least) return;
  refuse(key, value, `a whole number from ${least}${or === '' ? '' : `, or ${or}`}`);
}

function refuse(key: string, value: unknown, allowed: string): never {
  throw new ContinuityError(
    'invalid-option',
    `${key}: ${JSON.stringify(value) ?? String(value)} given; allowed is ${allowed}.`,
  );
}

/** Options that were given at all: an explicit undefined is the default, too. */
function given(options: SummarizationOptions): SummarizationOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function isList(value: ContextSize | readonly ContextSize[]): value is readonly ContextSize[] {
  return Array.isArray(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
