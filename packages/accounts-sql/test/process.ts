import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

const program = new URL('process-program.ts', import.meta.url);

/** Starts a program, which sends a message when it is ready. It ends with the test. */
export const startProcess = async (path: URL, args: readonly string[]): Promise<ChildProcess> => {
  const child = fork(path, args, { execArgv: ['--conditions=@carnet/source'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
};

const resultOf = async (child: ChildProcess): Promise<unknown> => {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`A process ended with ${code} before it answered.`);
  });
  child.send('begin');
  const [result] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  return result;
};

/** Several processes that compete in one database at the same time. Returns their answers. */
export const inProcesses = async (count: number, url: string): Promise<readonly unknown[]> => {
  const children = await Promise.all(Array.from({ length: count }, () => startProcess(program, [url])));
  return Promise.all(children.map(resultOf));
};
