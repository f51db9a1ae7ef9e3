// The part of the page under test that has a checkpoint saver: puts numbered checkpoints, and looks for them again.
import { HumanMessage } from '@langchain/core/messages';
import { IndexedDBSaver } from '../../src/langchain/checkpoint.js';
import { at, putMessages, textsAt } from '../support/checkpoints.js';

export interface CheckpointsPage {
  /** Puts one checkpoint after the other, each with one message more, and reports each that was confirmed. */
  putForEver(round: number): Promise<void>;
  /** The texts in the newest checkpoint of a round; null when there is none. */
  read(round: number): Promise<readonly string[] | null>;
  /** Puts a checkpoint with this much text that cannot be compressed; resolves to an error's message, or to null. */
  putNoise(round: number, bytes: number): Promise<string | null>;
}

declare global {
  interface Window {
    checkpoints: CheckpointsPage;
  }
}

const saver = new IndexedDBSaver();

window.checkpoints = {
  async putForEver(round) {
    const messages = [];
    for (let number = 0; ; number += 1) {
      messages.push(new HumanMessage(`${number} ${'word '.repeat(400)}`));
      await putMessages(saver, at(`round ${round}`), messages);
      await window.report({ kind: 'confirmed', batch: number, evicted: [] });
    }
  },

  read: (round) => textsAt(saver, at(`round ${round}`)),

  async putNoise(round, bytes) {
    let noise = '';
    while (noise.length < bytes) {
      const random = crypto.getRandomValues(new Uint8Array(48_000));
      noise += btoa(String.fromCharCode(...random));
    }
    try {
      await putMessages(saver, at(`round ${round}`), [new HumanMessage('first'), new HumanMessage(noise)]);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  },
};
