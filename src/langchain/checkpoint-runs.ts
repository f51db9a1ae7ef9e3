// Which state of a thread a run began with: a run that was in flight when its thread was deleted writes nothing more.
import type { RunnableConfig } from '@langchain/core/runnables';
import type { MarkRow } from './checkpoint-rows.js';

/**
 * Remembers how runs began, by the objects that LangGraph makes for each run and hands to every call of a saver: the
 * abort signal, and the control that nested graphs share with the one around them.
 */
export class RunStarts {
  readonly #starts = new WeakMap<object, Map<string, MarkRow>>();

  /** Notes what a run sees of a thread, unless it has seen it before. */
  note(config: RunnableConfig, thread: string, mark: MarkRow): void {
    if (this.of(config, thread) !== null) return;
    for (const key of keysOf(config)) {
      const starts = this.#starts.get(key) ?? new Map<string, MarkRow>();
      this.#starts.set(key, starts.set(thread, mark));
    }
  }

  /** What a run saw of a thread when it began; null for a call outside of runs. */
  of(config: RunnableConfig, thread: string): MarkRow | null {
    const [signal, control] = keysOf(config);
    const isNested = (config.configurable?.['checkpoint_ns'] ?? '') !== '';
    const start = signal === undefined ? undefined : this.#starts.get(signal)?.get(thread);
    // A nested graph has a signal of its own. A control alone says less: callers may use one for several runs.
    if (start !== undefined || !isNested || control === undefined) return start ?? null;
    return this.#starts.get(control)?.get(thread) ?? null;
  }
}

function keysOf(config: RunnableConfig): object[] {
  const { signal } = config;
  const control: unknown = Reflect.get(config, 'control');
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
  return isObject(signal) ? [signal, ...(isObject(control) ? [control] : [])] : [];
}
