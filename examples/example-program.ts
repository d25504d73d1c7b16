import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../test/servers/src/free-port.ts';

/** An example that runs as its own program. */
export interface Example {
  /** The application's own. */
  readonly origin: string;
  readonly issuer: string;
  /** Of an example that opens the admin listener. */
  readonly admin: string;
  readonly pid: number;
  /** The lines that it printed at its start. */
  readonly output: readonly string[];
  stop(): Promise<void>;
}

/** The lines that the program prints, up to the last of its addresses. */
const printed = (child: ChildProcess, addresses: number): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const seen: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        seen.push(line);
        if (seen.filter((text) => text.includes('http://')).length >= addresses) resolve(seen);
      });
    }
    child.once('close', () => reject(new Error(`it ended:\n${seen.join('\n')}`)));
  });

/** Runs what `npm start` runs in the folder of an example. It has to print both of its addresses. */
export const startExample = async (
  folder: URL,
  issuerPath: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Example> => {
  const cwd = fileURLToPath(folder);
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as {
    scripts: { start: string };
  };
  const [command, ...args] = scripts.start.split(' ');
  if (command !== 'node') throw new Error(`npm start is not node but ${command}`);
  const [port, adminPort] = [await findFreePort(), await findFreePort()];
  const env = { ...variables, PORT: String(port), ADMIN_PORT: String(adminPort) };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const output = await printed(child, 2);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    issuer: origin + issuerPath,
    admin: `http://127.0.0.1:${adminPort}`,
    pid: child.pid ?? 0,
    output,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};
