// The worker: wiring only.
import { expose } from 'comlink';
import { PROTOCOL_VERSION, type WorkerArchive } from '../src/protocol.js';
import { createArchive, type ThreadFiles } from './archive.js';
import { holdLifeLock } from './life-lock.js';
import { memoryFiles } from './memory.js';
import { opfsFiles } from './opfs.js';
import { whyNoOpfs } from './opfs-directory.js';

const lifeLock = holdLifeLock();

const worker: WorkerArchive = {
  ...createArchive(openFiles),
  hello: async () => ({ protocolVersion: PROTOCOL_VERSION, lifeLock: await lifeLock }),
};

async function openFiles(): Promise<ThreadFiles> {
  const reason = await whyNoOpfs();
  return reason === null ? opfsFiles() : memoryFiles({ reason });
}

expose(worker);
