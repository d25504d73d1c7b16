import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

const program = new URL('process-program.ts', import.meta.url);

/** A process that is ready to do a task with a file, and waits for a message to begin. */
export const startProcess = async (task: string, file: string, argument = ''): Promise<ChildProcess> => {
  const child = fork(program, [task, `sqlite:${file}`, argument], { execArgv: ['--conditions=@carnet/source'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
};

/** What it answers when it has done its task. */
export const resultOf = async (child: ChildProcess): Promise<unknown> => {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`A process ended with ${code} before it answered.`);
  });
  child.send('begin');
  const [result] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  return result;
};

/** Several processes that do the same at the same time, each with its number as argument. */
export const inProcesses = async (count: number, task: string, file: string): Promise<readonly unknown[]> => {
  const children = await Promise.all(Array.from({ length: count }, (_, n) => startProcess(task, file, `${n}`)));
  return Promise.all(children.map(resultOf));
};
