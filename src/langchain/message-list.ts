// A list of messages as a tree of digests, so that a longer list shares all but one path with the shorter one.
import { sha256Hex } from '../core/digest.js';

/** Children of a node. Small, because an append writes one node of each level anew. */
const FANOUT = 16;

/** A list's tree, level by level: the first holds leaves (16 message digests each), the last one node. */
export interface ListTree {
  /** Digests of the messages, in order. */
  readonly digests: readonly string[];
  /** Digests of the nodes of each level. */
  readonly levels: readonly (readonly string[])[];
}

/** A node to be stored: its digest, and the digests of its children. */
export interface ListNode {
  readonly digest: string;
  readonly children: readonly string[];
}

/** What a checkpoint keeps of a list. */
export interface ListRoot {
  /** Null for an empty list. */
  readonly root: string | null;
  readonly length: number;
  /** Levels of nodes above the messages. */
  readonly depth: number;
}

/**
 * Builds the tree of a list over that of an earlier one, and says which nodes are new to it. Nodes are named by their
 * content, so writing one again changes nothing.
 */
export function growTree(
  digests: readonly string[],
  before: ListTree | null,
): { tree: ListTree; added: readonly ListNode[] } {
  const added: ListNode[] = [];
  const levels: (readonly string[])[] = [];
  let children = digests;
  let childrenBefore = before?.digests ?? [];
  for (let level = 0; children.length > (level === 0 ? 0 : 1); level += 1) {
    const nodesBefore = before?.levels[level] ?? [];
    const same = commonPrefix(children, childrenBefore);
    // A node is the same when all its children are, and there were no more of them.
    const kept =
      same === children.length && same === childrenBefore.length
        ? nodesBefore.length
        : Math.floor(same / FANOUT);
    const nodes = nodesBefore.slice(0, kept);
    for (let at = kept * FANOUT; at < children.length; at += FANOUT) {
      const part = children.slice(at, at + FANOUT);
      const digest = sha256Hex(`${level} ${part.join(' ')}`).slice(0, 32);
      nodes.push(digest);
      added.push({ digest, children: part });
    }
    levels.push(nodes);
    children = nodes;
    childrenBefore = nodesBefore;
  }
  return { tree: { digests, levels }, added };
}

export function rootOf({ digests, levels }: ListTree): ListRoot {
  return { root: levels.at(-1)?.[0] ?? null, length: digests.length, depth: levels.length };
}

/** Reads the list back, asking for the nodes of one level at a time. Throws when one is missing. */
export async function readTree(
  { root, depth, length }: ListRoot,
  nodesOf: (digests: readonly string[]) => Promise<readonly (readonly string[] | undefined)[]>,
): Promise<ListTree> {
  if (root === null) return { digests: [], levels: [] };
  const levels: (readonly string[])[] = [];
  let current: readonly string[] = [root];
  for (let level = depth - 1; level >= 0; level -= 1) {
    levels.unshift(current);
    const nodes = await nodesOf(current);
    current = nodes.flatMap((children) => {
      if (children === undefined) throw new Error('IndexedDBSaver: a part of the message list is missing.');
      return children;
    });
  }
  if (current.length !== length)
    throw new Error(`IndexedDBSaver: ${current.length} of ${length} messages are listed.`);
  return { digests: current, levels };
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at += 1;
  return at;
}
