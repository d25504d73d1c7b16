import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepare } from './prepare.ts';

export interface Program {
  /** The URL of the program, without a slash at the end. */
  readonly url: string;
  //@if mcp
  readonly mcpUrl: string;
  //@end
  stop(): Promise<void>;
}

/** Whether a server answers, whatever the status is. */
const isUp = (url: string): Promise<boolean> =>
  fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  );

/** Runs the project on other ports, with an empty database if the store is SQLite. */
export const startProgram = async (): Promise<Program> => {
  const folder = await mkdtemp(join(tmpdir(), 'sign-in-'));
  const { cwd, script, env, urls } = await prepare(folder);
  const [url] = urls;
  const started: string[] = [...urls];
  //@if bundled
  started.push(`http://localhost:${env.PAGES_PORT}`);
  //@end
  //@if mcp
  const mcpUrl = `http://localhost:${env.MCP_PORT}/mcp`;
  started.push(mcpUrl);
  //@end
  const child = spawn('npm', ['run', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
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
