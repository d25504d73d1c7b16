import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPythonProgram, moto, pythonOf } from '../../../../scripts/python-programs.mjs';
import { startServerProcess } from '../server-process.ts';

const program = fileURLToPath(new URL('server.py', import.meta.url));

/** moto, which answers as AWS does, with real keys in memory. `server.py` makes its kms:Sign strict. */
export interface MotoServer {
  /** `http://127.0.0.1:port`. Credentials of any value are valid. */
  readonly url: string;
  readonly port: number;
  /** SIGKILL. Its keys are gone. */
  kill(): Promise<void>;
  /** Same port, no keys. */
  start(): Promise<void>;
  close(): Promise<void>;
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
  const folder = mkdtempSync(join(tmpdir(), 'carnet-moto-'));
  try {
    const server = await startServerProcess({
      name: 'moto',
      command,
      args: (port) => ['-B', program, '-H', '127.0.0.1', '-p', `${port}`],
      folder,
      isReady,
      killSignal: 'SIGKILL',
    });
    const { port } = server;
    return {
      url: `http://127.0.0.1:${port}`,
      port,
      kill: () => server.end('SIGKILL'),
      start: () => server.start(),
      async close() {
        await server.end('SIGKILL');
        await server.close();
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
};
