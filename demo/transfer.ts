// One conversation as one file: handing it over, and taking one in under its own id or another.
import { exportThread, type ImportThreadOptions, importThread } from 'threadkeep/langchain';
import type { Services } from './agent.js';
import { fileNameOf, saveFile } from './files.js';
import type { Told } from './inspection.js';
import { messageOf } from './session.js';
import { addThread, type ContextSettings, newThreadId, type ThreadEntry } from './threads.js';
import { askPlace } from './views/thread-dialogs.js';
import { words } from './words/index.js';
import { newEntry, type Opened } from './write.js';

/** The ending of such files. */
const ENDING = '.threadkeep';
/** How such files begin. */
const BEGINNING = 'threadkeep thread\n';

/** Whether a file is, or was meant to be, an exported conversation. Never throws. */
export async function isExported(file: File): Promise<boolean> {
  if (file.name.endsWith(ENDING)) return true;
  try {
    return (await file.slice(0, BEGINNING.length).text()) === BEGINNING;
  } catch {
    // A folder, or gone by now: who reads the whole of it says so.
    return false;
  }
}

/** Hands a conversation over as a file. Never throws. */
export async function exportConversation(services: Services, entry: ThreadEntry): Promise<Told> {
  try {
    const exported = await exportThread(services, { thread: entry.id, extra: extraOf(entry) });
    if (exported.outcome === 'missing') return failed(words.threadNotExported, words.nothingToExport);
    if (exported.outcome === 'unavailable')
      return failed(`${words.threadNotExported} ${words.archiveFailure[exported.failure]}`, exported.detail);
    const name = `${fileNameOf(entry.title)}${ENDING}`;
    saveFile(name, new Blob([exported.file], { type: 'application/octet-stream' }));
    return { ok: true, text: words.saved(name) };
  } catch (error) {
    return failed(words.threadNotExported, messageOf(error));
  }
}

/**
 * Takes a conversation in; asks what to do where it is here already. A file that is not as it was exported changes
 * nothing. Rejects as writing into the stores does.
 */
export async function importConversation(file: File, services: Services): Promise<Opened> {
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    return refused(file, `${words.fileUnread(file.name)} ${messageOf(error)}`);
  }
  let outcome = await importThread(services, bytes);
  if (outcome.outcome === 'exists') {
    const place = await askPlace(file.name);
    if (place === null) return null;
    const options: ImportThreadOptions = place === 'replace' ? { replace: true } : { thread: newThreadId() };
    outcome = await importThread(services, bytes, options);
  }
  if (outcome.outcome === 'refused') return refused(file, words.threadFileProblem[outcome.problem]);
  if (outcome.outcome === 'unavailable') return refused(file, words.archiveFailure[outcome.failure]);
  // Another tab has made one of this id since it was asked for.
  if (outcome.outcome === 'exists') return refused(file, words.existsNow);
  const entry = entryOf(outcome.thread, outcome.extra);
  await addThread(entry);
  return { kind: 'opened', entry, warnings: [words.imported(outcome.checkpoints, outcome.sources ?? 0)] };
}

/** What the page knows of a conversation beside its checkpoints. */
function extraOf({ title, systemPrompt, settings, suggestions, createdAt }: ThreadEntry): string {
  return JSON.stringify({ title, systemPrompt, settings, suggestions, createdAt });
}

/** The same out of a file: what is not as this page writes it gives way to what a new conversation has. */
function entryOf(thread: string, extra: string | null): ThreadEntry {
  const fresh = newEntry(thread);
  const { title, systemPrompt, settings, suggestions, createdAt } = parsed(extra);
  return {
    ...fresh,
    title: typeof title === 'string' && title !== '' ? title : words.importedTitle,
    systemPrompt: typeof systemPrompt === 'string' ? systemPrompt : null,
    settings: isSettings(settings) ? settings : fresh.settings,
    suggestions: Array.isArray(suggestions) ? suggestions.filter((text) => typeof text === 'string') : [],
    createdAt: typeof createdAt === 'number' && Number.isFinite(createdAt) ? createdAt : fresh.createdAt,
  };
}

function parsed(extra: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(extra ?? '{}');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function isSettings(value: unknown): value is ContextSettings {
  if (typeof value !== 'object' || value === null) return false;
  const { triggerTokens, keepMessages } = value as Partial<Record<keyof ContextSettings, unknown>>;
  return isCount(triggerTokens) && isCount(keepMessages);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function refused({ name }: File, reason: string): Opened {
  return { kind: 'refused', reason: words.refused(name, reason) };
}

function failed(text: string, detail: string): Told {
  return { ok: false, text, detail };
}
