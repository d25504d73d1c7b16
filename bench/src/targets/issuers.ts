import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IssuersOptions, ServingIssuers } from './issuers-process.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folder.ts';

/** The options for a process with many issuers: see `docs/operate/scaling.md`. */
const workerOptions = {
  execArgv: ['--max-semi-space-size=16', '--heap-growing-percent=60'],
  env: { ...process.env, MALLOC_ARENA_MAX: '1' },
};

export interface IssuersProcess extends ServingIssuers {
  readonly processId: number;
  stop(): Promise<void>;
}

/** Starts one process with so many issuers. It runs built code. */
export const startIssuers = async (options: IssuersOptions): Promise<IssuersProcess> => {
  const folder = makeScratchFolder('issuers');
  const log = openSync(join(folder, 'log'), 'a');
  const child = fork(fileURLToPath(new URL('issuers-process.ts', import.meta.url)), {
    ...workerOptions,
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  closeSync(log);
  child.send(options);
  const ended = once(child, 'exit');
  const failed = ended.then(([code]) => {
    throw new Error(`the process with several issuers ended with exit code ${code}`);
  });
  const [serving] = (await Promise.race([once(child, 'message'), failed])) as [ServingIssuers];
  failed.catch(() => {});
  return {
    ...serving,
    processId: child.pid as number,
    async stop() {
      child.disconnect();
      await ended;
      removeScratchFolder(folder);
    },
  };
};
