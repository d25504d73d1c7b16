import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Program {
  /** The URL of the demo client, without a slash at the end. */
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

/** The ports in carnet.yaml, and the variables that set them. */
const ports = { PORT: '4444', ADMIN_PORT: '4445', APP_PORT: '3000', PAGES_PORT: '3001', MCP_PORT: '3002' };

/** Copies the project without its data, and gives it other ports. */
const copyProject = async (folder: string): Promise<Record<string, string>> => {
  await cp('.', folder, { recursive: true, filter: (path) => !/node_modules|\.git\b|\.db/.test(path) });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  let config = await readFile('carnet.yaml', 'utf8');
  const env: Record<string, string> = {};
  for (const [name, port] of Object.entries(ports)) {
    const other = await freePort();
    env[name] = other;
    config = config.replaceAll(`http://localhost:${port}`, `http://localhost:${other}`);
  }
  await writeFile(join(folder, 'carnet.yaml'), config);
  return { ...env, ISSUER: `http://localhost:${env.PORT}` };
};

/** Whether a server answers, whatever the status is. */
const isUp = (url: string): Promise<boolean> =>
  fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );

/** Runs `npm start` in a copy of the project, on other ports, with an empty database if the store is SQLite. */
export const startProgram = async (): Promise<Program> => {
  const folder = await mkdtemp(join(tmpdir(), 'sign-in-'));
  const changed = await copyProject(folder);
  const env = { ...process.env, ...changed };
  const child = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));

  const stop = async (): Promise<void> => {
    // npm and what it started are one process group.
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
  const url = `http://localhost:${changed.APP_PORT}`;
  const started = [url, String(changed.ISSUER)];
  //@if bundled
  started.push(`http://localhost:${changed.PAGES_PORT}`);
  //@end
  //@if mcp
  const mcpUrl = `http://localhost:${changed.MCP_PORT}/mcp`;
  started.push(mcpUrl);
  //@end
  for (const each of started) {
    for (let attempts = 0; !(await isUp(each)); attempts += 1) {
      if (child.exitCode === null && attempts < 600) await sleep(100);
      else {
        await stop();
        throw new Error(`npm start did not answer at ${each}:\n${output}`);
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
