// Runs the look-up scenarios (d) against any archive, so that Node's memory and a browser's files answer alike.
import { captureMessages } from '../../src/capture.js';
import { createContinuity } from '../../src/continuity.js';
import { scopeDigest } from '../../src/core/digest.js';
import { normalizeHistory, withBatch, withFailure } from '../../src/core/history.js';
import type { BatchId } from '../../src/core/message.js';
import { noteAnswer, readAnswer, searchAnswer } from '../../src/langchain/tool-answers.js';
import type { Archive, Scope } from '../../src/protocol.js';
import { differences } from './lookup-compare.js';
import { aMessage, type LookupScenario, type LookupStep } from './lookup-vectors.js';

/** Where the scenarios run. A scenario starts with an empty archive. */
export interface LookupHost {
  readonly archive: Archive;
  /** Writes noise over the thread's file; absent where there is no file to write over. */
  readonly overwriteWithGarbage?: (scope: Scope) => Promise<void>;
  /** The captures have been made already, by another program, and are not made again. */
  readonly isFilled?: boolean;
}

/** A step that was run: what differs from the reference, empty when nothing does. */
export interface StepReport {
  readonly step: number;
  readonly answer: unknown;
  readonly differences: readonly string[];
}

/**
 * Runs a scenario's steps in order; null for those that this host cannot run, and all that build on them. A host whose
 * archive holds what the captures would make leaves those out.
 */
export async function runScenario(
  host: LookupHost,
  scenario: LookupScenario,
): Promise<(StepReport | null)[]> {
  const reports: (StepReport | null)[] = [];
  const neverMade = new Set<string>();
  let isStranded = false;
  for (const [index, given] of scenario.steps.entries()) {
    const step = { ...given, task_history: without(given.task_history, neverMade) };
    if (step.op === 'overwrite_db_with_garbage' && host.overwriteWithGarbage === undefined) isStranded = true;
    // A deleted folder is a clean start for what comes after.
    if (step.op === 'delete_archive_dir') isStranded = false;
    if (isStranded || (host.isFilled === true && step.op === 'capture')) reports.push(null);
    else {
      const report = { step: index, ...(await runStep(host, scenario, step)) };
      reports.push(report);
      for (const id of emptyBatch(step, report.answer)) neverMade.add(id);
    }
  }
  return reports;
}

/**
 * The reference makes a batch of nothing where we make none (D11). What it says of that batch is a departure; what
 * comes after is compared as if the batch had never been referred to.
 */
function emptyBatch(step: LookupStep, answer: unknown): readonly string[] {
  if (step.op !== 'capture' || normalizeHistory(answer)?.status !== 'available') return [];
  const ours = new Set(normalizeHistory(answer)?.batches);
  return (normalizeHistory(step.expected)?.batches ?? []).filter((id) => !ours.has(id));
}

function without(history: unknown, ids: ReadonlySet<string>): unknown {
  if (typeof history !== 'object' || history === null || !('batches' in history)) return history;
  const { batches } = history;
  return Array.isArray(batches)
    ? { ...history, batches: batches.filter((id) => !ids.has(String(id))) }
    : history;
}

async function runStep(
  host: LookupHost,
  scenario: LookupScenario,
  step: LookupStep,
): Promise<Omit<StepReport, 'step'>> {
  const { archive } = host;
  const scope: Scope = { user: step.user, thread: step.thread ?? '' };
  switch (step.op) {
    case 'delete_archive_dir': {
      const reply = await archive.forget(scope);
      return { answer: reply, differences: reply.ok ? [] : [reply.detail] };
    }
    case 'overwrite_db_with_garbage':
      await host.overwriteWithGarbage?.(scope);
      return { answer: null, differences: [] };
    case 'inspect_db':
      return inspect(archive, scope, scenario, step);
    default: {
      const answer = await answerStep(archive, step);
      return { answer, differences: differences(scenario, step, answer) };
    }
  }
}

/** What one step answers: the state after a capture, or a tool's answer, parsed. */
async function answerStep(archive: Archive, step: LookupStep): Promise<unknown> {
  const hasThread = step.thread !== null && step.thread !== '';
  const scope = hasThread ? { user: step.user, thread: step.thread } : null;
  const continuity = createContinuity({ archive });
  const messages = (step.active_messages ?? []).map(aMessage);
  const view = { scope, history: step.task_history, messages };
  const { query, role, source_id: id, offset, key, content, source_ids } = step.args ?? {};
  switch (step.op) {
    case 'capture':
      return historyAfter(archive, scope, step);
    case 'history_search':
      return JSON.parse(searchAnswer(await continuity.search(view, { query, role })));
    case 'history_read':
      return JSON.parse(readAnswer(await continuity.read(view, { id, offset })));
    case 'task_note': {
      const batch = { notes: step.task_notes, callId: step.tool_call_id ?? null, calls: [] };
      const outcome = await continuity.checkNote(view, { key, content, source_ids }, batch);
      const answer: unknown = JSON.parse(noteAnswer(outcome));
      if (outcome.kind === 'error') return answer;
      const update = { [outcome.key]: outcome.kind === 'saved' ? outcome.note : null };
      return { update: { task_notes: update }, tool_message: answer, tool_call_id: step.tool_call_id };
    }
    default:
      throw new Error(`No rule for ${step.op}.`);
  }
}

/**
 * The reference archives again what a reachable batch holds already, so no batch is named as known here; limits
 * below the configurable ones count as given, so they are not checked.
 */
async function historyAfter(archive: Archive, scope: Scope | null, step: LookupStep): Promise<unknown> {
  const history = normalizeHistory(step.task_history);
  if (scope === null || step.config === undefined) return withFailure(history, 'internal');
  const { max_batches, max_records_per_batch, max_record_chars } = step.config;
  const retention = {
    maxBatches: max_batches,
    maxRecordsPerBatch: max_records_per_batch,
    maxRecordChars: max_record_chars,
  };
  const messages = (step.messages ?? []).map(aMessage);
  const reply = await captureMessages(archive, scope, [], messages, retention, undefined);
  if (!reply.ok) return withFailure(history, reply.failure);
  const { batch, omitted } = reply.value;
  return withBatch(history, scopeDigest(scope.user, scope.thread), batch, omitted, max_batches);
}

interface Inspected {
  readonly batches: readonly (readonly [BatchId, number])[];
}

/** Our tables are others; which of the scenario's batches are there is the same question. */
async function inspect(
  archive: Archive,
  scope: Scope,
  scenario: LookupScenario,
  step: LookupStep,
): Promise<Omit<StepReport, 'step'>> {
  const seen = new Set<BatchId>();
  for (const { expected, op } of scenario.steps) {
    if (op === 'capture') for (const id of normalizeHistory(expected)?.batches ?? []) seen.add(id);
  }
  const present: BatchId[] = [];
  for (const id of seen) {
    const reply = await archive.holds(scope, [id], []);
    if (reply.ok && reply.value.batchesFound === 1) present.push(id);
  }
  const wanted = (step.expected as Inspected).batches.map(([id]) => id);
  const isSame = wanted.length === present.length && wanted.every((id) => present.includes(id));
  const problem = `batches ${present.join(' ')} instead of ${wanted.join(' ')}`;
  return { answer: present, differences: isSame ? [] : [problem] };
}
