import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SlapdServer } from '@carnet/test-servers';
import { makeScratchFolder, removeScratchFolder } from './scratch-folder.ts';

/** How the server finds users. `connection-each`: three lookups a request, each with a connection and a bind of its own. */
export type Lookup = 'connection-each' | 'pool' | 'cache';

export interface PinUser {
  readonly name: string;
  readonly pin: string;
}

/** The message that starts the server. */
export interface PinServerOptions {
  readonly lookup: Lookup;
  readonly hash: 'sha256' | 'argon2id';
  readonly slapd: Pick<SlapdServer, 'tlsUrl' | 'ca' | 'peopleDn' | 'reader'>;
  readonly users: readonly PinUser[];
  /** The accounts database. */
  readonly database: string;
}

export interface PinServer {
  readonly url: string;
  readonly processId: number;
  stop(): Promise<void>;
}

/** Starts `POST /validate/check` over users in slapd, with a static PIN each, in a process of its own. */
export const startPinServer = async (options: Omit<PinServerOptions, 'database'>): Promise<PinServer> => {
  const folder = makeScratchFolder('pins');
  const program = fileURLToPath(new URL('pin-server-process.ts', import.meta.url));
  const child: ChildProcess = fork(program, { stdio: 'inherit' });
  child.send({ ...options, database: `sqlite:${folder}/accounts.db` } satisfies PinServerOptions);
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    processId: child.pid as number,
    async stop() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
      removeScratchFolder(folder);
    },
  };
};
