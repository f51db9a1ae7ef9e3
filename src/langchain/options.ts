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
  enabled: false,
  model: null,
  summaryPrompt: null,
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
  const unknown = Object.keys(options).filter((key) => !Object.hasOwn(CHECKS, key));
  if (unknown.length > 0) refuseKeys(unknown, Object.keys(CHECKS));
  const resolved = { ...DEFAULTS, ...given(options) };
  for (const [key, check] of Object.entries(CHECKS)) {
    const value: unknown = Reflect.get(resolved, key);
    // What has no default may be absent.
    if (value !== undefined) check(key, value);
  }
  const { trigger, model } = resolved;
  const triggers = trigger === undefined ? [] : isList(trigger) ? trigger : [trigger];
  if (resolved.enabled && triggers.length === 0) {
    refuse('trigger', trigger, "at least one size like { type: 'tokens', value: 4000 } when enabled");
  }
  if (typeof model === 'string' && resolved.resolveModel === undefined) {
    refuse('model', model, 'a name together with resolveModel, which finds its model; or a model instance');
  }
  return { ...resolved, triggers };
}

type Check = (key: string, value: unknown) => void;

const whole =
  (least: number, or = ''): Check =>
  (key, value) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= least) return;
    refuse(key, value, `a whole number from ${least}${or === '' ? '' : `, or ${or}`}`);
  };
const flag: Check = (key, value) => {
  if (typeof value !== 'boolean') refuse(key, value, 'true or false');
};
const text: Check = (key, value) => {
  if (typeof value !== 'string' || value.trim() === '') refuse(key, value, 'a text that is not blank');
};
const callable: Check = (key, value) => {
  if (typeof value !== 'function') refuse(key, value, 'a function');
};

const SIZE_TYPES: readonly unknown[] = ['tokens', 'messages', 'fraction'];

const size: Check = (key, given) => {
  const allowed =
    '{ type: tokens | messages, value: a whole number from 1 } or { type: fraction, value: above 0, at most 1 }';
  if (!isObject(given)) refuse(key, given, allowed);
  const { type, value, ...more } = given;
  if (!SIZE_TYPES.includes(type) || typeof value !== 'number' || Object.keys(more).length > 0)
    refuse(key, given, allowed);
  const isAllowed = type === 'fraction' ? value > 0 && value <= 1 : Number.isInteger(value) && value >= 1;
  if (!isAllowed) refuse(key, given, allowed);
};

/** Every option, with what is allowed for it. */
const CHECKS: Readonly<Record<keyof SummarizationOptions, Check>> = {
  enabled: flag,
  model: (key, value) => {
    const isModel = isObject(value) && typeof value['invoke'] === 'function';
    if (value === null || isModel || ['function', 'string'].includes(typeof value)) return;
    refuse(
      key,
      value,
      "a model, a function that makes one, a name for resolveModel, or null for the run's own",
    );
  },
  resolveModel: callable,
  trigger: (key, value) => {
    for (const one of Array.isArray(value) ? value : [value]) size(key, one);
  },
  keep: size,
  trimTokensToSummarize: (key, value) => {
    if (value !== null) whole(1, 'null for no trimming')(key, value);
  },
  refreshAfterFolds: whole(1),
  summaryPrompt: (key, value) => {
    if (value === null || (typeof value === 'string' && value.trim() !== '')) return;
    refuse(key, value, 'a prompt, or null for the default');
  },
  preserveRecentSkillCount: whole(0),
  preserveRecentSkillTokens: whole(0),
  preserveRecentSkillTokensPerSkill: whole(0),
  skillFileReadToolNames: (key, value) => {
    if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return;
    refuse(key, value, 'a list of tool names');
  },
  skillsPath: text,
  tokenCounter: callable,
  windowTokens: whole(1),
  compactingMessage: text,
  summaryTimeoutMs: whole(1),
  cacheSize: whole(1),
  prune: flag,
  user: text,
  continuity: (key, value) => {
    if (!isObject(value) || typeof value['capture'] !== 'function')
      refuse(key, value, 'what createContinuity gives');
  },
  onEvent: callable,
};

/** Refuses keys that are no options. */
export function refuseKeys(unknown: readonly string[], known: readonly string[]): never {
  throw new ContinuityError(
    'invalid-option',
    `${unknown.join(', ')}: no such option of summarization; the options are ${known.join(', ')}.`,
  );
}

/** Refuses a value, with its key and what is allowed. */
export function refuse(key: string, value: unknown, allowed: string): never {
  throw new ContinuityError('invalid-option', `${key}: ${shown(value)} given; allowed is ${allowed}.`);
}

function shown(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // What contains itself, or a bigint, has no JSON, and is no less wrong for it.
    return String(value);
  }
}

/** Options that were given at all: an explicit undefined is the default, too. */
function given(options: SummarizationOptions): SummarizationOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function isList(value: ContextSize | readonly ContextSize[]): value is readonly ContextSize[] {
  return Array.isArray(value);
}

/** True for what has keys: objects and blocks, not lists. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
