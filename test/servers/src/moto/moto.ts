import { fileURLToPath } from 'node:url';
import { moto } from '../../../../scripts/python-programs.mjs';
import { findPython } from '../python-program.ts';
import { inNewFolder, type ServerProcess, startServerProcess } from '../server-process.ts';

const program = fileURLToPath(new URL('server.py', import.meta.url));

/** moto, which answers as AWS does, with real keys in memory, which a kill loses. `server.py` makes its kms:Sign strict. */
export interface MotoServer extends ServerProcess {
  /** `http://127.0.0.1:port`. Credentials of any value are valid. */
  readonly url: string;
}

/** Starts moto on 127.0.0.1. It ends with this process at the latest. */
export const startMoto = async (): Promise<MotoServer> => {
  const command = await findPython(moto);
  const server = await inNewFolder('moto', (folder) =>
    startServerProcess({
      name: 'moto',
      command,
      args: (port) => ['-B', program, '-H', '127.0.0.1', '-p', `${port}`],
      folder,
      isReady: async ({ port }) => (await fetch(`http://127.0.0.1:${port}/moto-api/data.json`)).ok,
    }),
  );
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}` });
};
