import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Program {
  /** The URL of the program, without a slash at the end. */
  readonly url: string;
  //@if mcp
  readonly mcpUrl: string;
  //@end
  stop(): Promise<void>;
}

const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  return String(port);
};

const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
const script = scripts.dev ? 'dev' : 'start';

/** Whether a server answers, whatever the status is. */
const isUp = (url: string): Promise<boolean> =>
  fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );

/** Runs `npm start` (of Next.js `npm run dev`) on other ports, with an empty database if the store is SQLite. */
export const startProgram = async (): Promise<Program> => {
  const folder = await mkdtemp(join(tmpdir(), 'sign-in-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env: NodeJS.ProcessEnv = { ...process.env, PORT: port, APP_URL: url };
  if (env.DATABASE_URL?.startsWith('sqlite:')) env.DATABASE_URL = `sqlite:${join(folder, 'carnet.db')}`;
  const started = [url];
  //@if bundled
  if (env.ACCOUNTS_DATABASE?.startsWith('sqlite:')) env.ACCOUNTS_DATABASE = `sqlite:${join(folder, 'accounts.db')}`;
  Object.assign(env, { ADMIN_PORT: await freePort(), PAGES_PORT: await freePort() });
  started.push(`http://localhost:${env.PAGES_PORT}`);
  //@end
  //@if mcp
  env.MCP_PORT = await freePort();
  const mcpUrl = `http://localhost:${env.MCP_PORT}/mcp`;
  started.push(mcpUrl);
  //@end
  const child = spawn('npm', ['run', script], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));

  const stop = async (): Promise<void> => {
    // npm and what it started are one process group.
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
  for (const each of started) {
    for (let attempts = 0; !(await isUp(each)); attempts += 1) {
      if (child.exitCode === null && attempts < 600) await sleep(100);
      else {
        await stop();
        throw new Error(`npm run ${script} did not answer at ${each}:\n${output}`);
      }
    }
  }
  return {
    url,
    //@if mcp
    mcpUrl,
    //@end
    stop,
  };
};
