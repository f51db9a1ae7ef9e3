// Whose thread a run belongs to.

/** The part of LangChain's runtimes and configs that says whose run it is. */
export interface RunLike {
  readonly context?: unknown;
  readonly configurable?: unknown;
}

export interface Identity {
  readonly user: string;
  /** Null when the run names no thread: then there is nothing to archive into. */
  readonly thread: string | null;
  /** Empty for the agent that was called itself; otherwise where it is nested in another graph. */
  readonly namespace: string;
}

/** The user of runs that name none. */
export const DEFAULT_USER = 'local';

/**
 * Reads user and thread: `user_id` and `thread_id` of the run's context first, then of its configurable part,
 * then the option. Values that are no string, or are empty, count as absent. The thread has no default.
 */
export function identify(run: RunLike, option: { readonly user?: string | undefined } = {}): Identity {
  const find = (key: string): string | null => textOf(run.context, key) ?? textOf(run.configurable, key);
  const path = textOf(run.configurable, 'checkpoint_ns') ?? '';
  const lastNode = path.lastIndexOf('|');
  return {
    user: find('user_id') ?? option.user ?? DEFAULT_USER,
    thread: find('thread_id'),
    // The last part names the node that is running; what stands before it names the graphs around it.
    namespace: lastNode < 0 ? '' : path.slice(0, lastNode),
  };
}

function textOf(holder: unknown, key: string): string | null {
  if (typeof holder !== 'object' || holder === null) return null;
  const value: unknown = Reflect.get(holder, key);
  return typeof value === 'string' && value !== '' ? value : null;
}
