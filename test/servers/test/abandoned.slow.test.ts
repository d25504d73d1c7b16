import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Starts both, says what it has, and waits to be killed. */
const program = `
  import { dirname } from 'node:path';
  import { startPostgres, startRedis } from '${new URL('../src/index.ts', import.meta.url)}';
  import { query } from '${new URL('query.ts', import.meta.url)}';
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const { data_directory } = await query(postgres.url, 'SHOW data_directory');
  const [, dir] = await redis.command('CONFIG', 'GET', 'dir');
  console.log(JSON.stringify({ pids: [postgres.pid, redis.pid], folders: [dirname(data_directory), dirname(dir)] }));
`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('servers and their data are gone soon after whoever started them was killed', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(child.stdout, 'data');
  const { pids, folders } = JSON.parse(`${said}`) as { pids: number[]; folders: string[] };
  expect([...pids.map(isAlive), ...folders.map((folder) => existsSync(folder))]).toEqual([true, true, true, true]);
  child.kill('SIGKILL');
  await expect
    .poll(() => [...pids.filter(isAlive), ...folders.filter((folder) => existsSync(folder))], { timeout: 15_000 })
    .toEqual([]);
});
