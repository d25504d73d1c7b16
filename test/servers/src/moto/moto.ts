import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPythonProgram, moto, pythonOf } from '../../../../scripts/python-programs.mjs';
import { inNewFolder, type ServerProcess, startServerProcess } from '../server-process.ts';

const program = fileURLToPath(new URL('server.py', import.meta.url));

/** moto, which answers as AWS does, with real keys in memory, which a kill loses. `server.py` makes its kms:Sign strict. */
export interface MotoServer extends ServerProcess {
  /** `http://127.0.0.1:port`. Credentials of any value are valid. */
  readonly url: string;
}

const succeeds = (command: string, args: readonly string[]): Promise<boolean> =>
  promisify(execFile)(command, args).then(
    () => true,
    (error: Error) => {
      console.error(error.message);
      return false;
    },
  );

const findPython = async (): Promise<string> => {
  if (pythonOf(moto) === undefined) console.log(`Installing moto ${moto.version}, once on a machine.`);
  if (!(await installPythonProgram(moto, succeeds))) {
    throw new Error('The tests need moto: install Python 3 with venv (Debian: `python3-venv`), and run `npm test`.');
  }
  return pythonOf(moto) as string;
};

const isReady = async ({ port }: { readonly port: number }): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/moto-api/data.json`)).ok;
  } catch {
    return false;
  }
};

/** Starts moto on 127.0.0.1. It ends with this process at the latest. */
export const startMoto = async (): Promise<MotoServer> => {
  const command = await findPython();
  const server = await inNewFolder('moto', (folder) =>
    startServerProcess({
      name: 'moto',
      command,
      args: (port) => ['-B', program, '-H', '127.0.0.1', '-p', `${port}`],
      folder,
      isReady,
    }),
  );
  return Object.assign(server, { url: `http://127.0.0.1:${server.port}` });
};
