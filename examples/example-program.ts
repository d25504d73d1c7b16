import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { spawnNode } from '../packages/cli/test/start-program.ts';
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
  const env = { PORT: String(await findFreePort()), ADMIN_PORT: String(await findFreePort()), ...variables };
  const { child, lines: output, untilLines, exited } = spawnNode(args, env, cwd);
  await untilLines('http://', 2);
  const origin = `http://127.0.0.1:${env.PORT}`;
  return {
    origin,
    issuer: origin + issuerPath,
    admin: `http://127.0.0.1:${env.ADMIN_PORT}`,
    pid: child.pid ?? 0,
    output,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
