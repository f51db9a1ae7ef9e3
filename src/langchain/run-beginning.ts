// When the present run of an agent began, told apart by what one run has for itself.

const beganAtByRun = new WeakMap<object, number>();

/**
 * When the run that this writer belongs to was first seen, in milliseconds since 1970; now for a run without one.
 *
 * LangGraph makes one stream writer a run and hands the same function to all of its nodes; signal, context and config
 * are others in every node.
 */
export function runBeginning(writer: object | undefined): number {
  const now = Date.now();
  if (writer === undefined) return now;
  const known = beganAtByRun.get(writer);
  if (known !== undefined) return known;
  beganAtByRun.set(writer, now);
  return now;
}
