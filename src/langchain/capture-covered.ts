// What a compaction gives to the archive: the messages that left the window, and those that a former capture missed.
import { normalizeHistory, type TaskHistory } from '../core/history.js';
import { extractRecord, type Message } from '../core/message.js';
import type { Plan } from '../core/plan.js';
import type { CaptureSummary } from '../events.js';
import { type Base, type CompactionCall, coveredBy, messagesAt } from './compaction-call.js';

export interface CoveredCapture {
  /** What the state must hold from now on; null when there is no archive for this run. */
  readonly history: TaskHistory | null;
  readonly archived: CaptureSummary | null;
}

/**
 * Archives what a plan's summary stands for. Never throws, and a failure is the history's status.
 *
 * Usually these are the messages that leave now. When the former capture failed, or its batch is lost, everything that
 * is covered goes along: what is held already is left out there. A nested agent's messages are not the thread's.
 */
export async function captureCovered(call: CompactionCall, base: Base, plan: Plan): Promise<CoveredCapture> {
  const { options, identity, conversation } = call;
  const { continuity } = options;
  const { user, thread, namespace } = identity;
  if (continuity === undefined || thread === null || namespace !== '')
    return { history: null, archived: null };
  const scope = { user, thread };
  const isBehind = base.record !== null && !(await holdsFormer(call, base, scope));
  const messages = isBehind ? coveredBy(conversation, plan) : messagesAt(conversation, plan.leaving);
  const outcome = await continuity.capture(scope, base.history, messages, {
    runBeganAt: call.runBeganAt,
  });
  const { history, stored, omitted, failure } = outcome;
  return { history, archived: { stored, omitted, failure } };
}

/** How many of the latest archived messages are looked for. One that is there tells that its batch is. */
const PROBES = 4;

/** Whether the former captures did their work and the archive still has the latest of it. */
async function holdsFormer(
  { options, conversation }: CompactionCall,
  base: Base,
  scope: { readonly user: string; readonly thread: string },
): Promise<boolean> {
  const { continuity } = options;
  const history = normalizeHistory(base.history);
  if (continuity === undefined || history?.status !== 'available') return false;
  const stays = new Set(base.lifted);
  const probes: Message[] = [];
  for (let at = base.end - 1; at >= conversation.start && probes.length < PROBES; at -= 1) {
    const message = conversation.neutral[at];
    if (message === undefined || stays.has(at)) continue;
    const record = extractRecord(message, continuity.retention.maxRecordChars);
    if (record !== null && !record.truncated) probes.push(message);
  }
  if (probes.length === 0) return true;
  const whole = await continuity.wholeSources(scope, base.history, probes);
  return probes.some((probe) => whole.has(probe));
}
