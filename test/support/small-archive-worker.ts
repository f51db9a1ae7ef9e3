// The archive's worker with small limits, for tests that reach them.
import { expose } from 'comlink';
import { PROTOCOL_VERSION, type WorkerArchive } from '../../src/protocol.js';
import { createArchive } from '../../worker/archive.js';
import { opfsFiles } from '../../worker/opfs.js';

const worker: WorkerArchive = {
  ...createArchive(() => opfsFiles({ ceilingPages: 200, idleMs: 100, lockDeadlineMs: 300 })),
  hello: async () => ({ protocolVersion: PROTOCOL_VERSION, lifeLock: null }),
};

expose(worker);
