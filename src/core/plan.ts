// What one compaction does to a conversation: where it cuts, what it lifts over the cut, what the summary takes over.
import { isReminder, isUserMessage, type Message } from './message.js';
import { cutoffOf, HEADROOM, lowerCut, raiseCut, type Threshold } from './partition.js';
import { rescuedSkills, type SkillRules } from './skills.js';
import type { CountTokens } from './tokens.js';

/** What stands for the older part before this compaction. */
export interface PlanBase {
  /** Index of the first message that no summary stands for. */
  readonly end: number;
  /** Indexes before `end` of messages that stay in the request all the same. */
  readonly lifted: readonly number[];
}

export interface PlanRules {
  readonly keep: Threshold;
  readonly thresholds: readonly Threshold[];
  readonly skills: SkillRules;
  /** Tokens of what every request carries beside its messages. */
  readonly overhead: number;
  /** Tokens of the former summary; 0 when there is none. The next is expected to take as many, or a usual number. */
  readonly summaryTokens: number;
  readonly count: CountTokens;
}

export interface Plan {
  /** Index of the first message that stays as it is; never before the base's end. */
  readonly end: number;
  /** Indexes before the end of what stays in the request: system messages, reminders, skill reads, the latest user message. */
  readonly lifted: readonly number[];
  /** Indexes of what the summary takes over now, in order. */
  readonly leaving: readonly number[];
}

/** Share of a trigger's room that kept part and expected summary may take together. */
const ROOM = 0.9;
/** Tokens that a summary is expected to take at least, and the share of the room that is set aside for them at most. */
const USUAL_SUMMARY_TOKENS = 200;
const USUAL_SUMMARY_SHARE = 1 / 3;

/**
 * Plans a compaction of `messages` from index `start` on. Null when nothing can leave.
 *
 * `keep` says where to cut; the cut goes on until what stays lies below the headroom of every trigger, or until only
 * the last group is left. The latest user message is never among what leaves, and no call is parted from its results.
 */
export function planCompaction(
  messages: readonly Message[],
  start: number,
  base: PlanBase,
  rules: PlanRules,
): Plan | null {
  const latest = latestUserMessage(messages);
  const wanted = Math.max(start + cutoffOf(messages.slice(start), rules.keep, rules.count), base.end);
  const planAt = (cut: number): Plan => partitionAt(messages, base, cut, latest, rules);
  const hasRoomAt = (cut: number): boolean => hasRoom(messages, start, planAt(cut), rules);
  const cut = raiseCut(messages, lowerCut(messages, wanted, base.end), hasRoomAt);
  const plan = planAt(cut);
  return plan.leaving.length === 0 ? null : plan;
}

/** Index of the newest message that is the user's own, or else of the newest one in the user's role; null for none. */
export function latestUserMessage(messages: readonly Message[]): number | null {
  const own = messages.findLastIndex(isUserMessage);
  const any = own >= 0 ? own : messages.findLastIndex(({ type }) => type === 'human');
  return any < 0 ? null : any;
}

function partitionAt(
  messages: readonly Message[],
  base: PlanBase,
  cut: number,
  latest: number | null,
  rules: PlanRules,
): Plan {
  const candidates = [...base.lifted, ...range(base.end, cut)];
  const part = candidates.map((at) => messages[at]).filter((message) => message !== undefined);
  const skills = rescuedSkills(part, boundedSkills(rules), rules.count);
  const isLifted = (at: number, place: number): boolean =>
    at === latest || skills.has(place) || isStanding(messages[at]);
  return {
    end: cut,
    lifted: candidates.filter(isLifted),
    leaving: candidates.filter((at, place) => !isLifted(at, place)),
  };
}

/** What an application tells the model beside the conversation. */
function isStanding(message: Message | undefined): boolean {
  return message !== undefined && (message.type === 'system' || isReminder(message));
}

/** Skill files may take half of the headroom: more would leave no room for the conversation they are for. */
function boundedSkills({ skills, thresholds, overhead }: PlanRules): SkillRules {
  let { tokens } = skills;
  let messages = skills.messages ?? Number.POSITIVE_INFINITY;
  for (const { unit, value } of thresholds) {
    const half = (HEADROOM / 2) * (unit === 'tokens' ? value - overhead : value);
    if (unit === 'tokens') tokens = Math.min(tokens, half);
    else messages = Math.min(messages, half);
  }
  return { ...skills, tokens, messages };
}

/** What is always there takes its share of a trigger first; the headroom is of the rest. */
function hasRoom(messages: readonly Message[], start: number, plan: Plan, rules: PlanRules): boolean {
  const { thresholds, overhead, summaryTokens, count } = rules;
  const kept = [...plan.lifted.map((at) => messages[at]), ...messages.slice(plan.end)];
  const tokens = count(kept.filter((message) => message !== undefined));
  const leading = count(messages.slice(0, start));
  return thresholds.every(({ unit, value }) => {
    if (unit === 'messages') {
      const room = value - start;
      return kept.length < room * HEADROOM && kept.length + 1 < room;
    }
    const room = value - overhead - leading;
    const expected = Math.max(summaryTokens, Math.min(USUAL_SUMMARY_TOKENS, room * USUAL_SUMMARY_SHARE));
    return tokens < room * HEADROOM && tokens + expected < room * ROOM;
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
