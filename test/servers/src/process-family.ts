import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
}

const fromProc = (): ProcessEntry[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // "pid (name) state parent ...", and the name may hold anything.
        const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
        return [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        // Gone already.
        return [];
      }
    });

const fromPs = (): ProcessEntry[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent] = line.trim().split(/\s+/).map(Number);
      return { pid: pid ?? 0, parent: parent ?? 0 };
    });

const childrenOf = (pid: number): number[] =>
  (process.platform === 'linux' ? fromProc() : fromPs())
    .filter(({ parent }) => parent === pid)
    .map((entry) => entry.pid);

const signalOne = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already.
  }
};

/**
 * Signals a process, then its children. The parent first: once it is stopped it starts no more of them. Not by process
 * group: each of Postgres' backends leads one of its own.
 */
export const signalFamily = (pid: number, signal: NodeJS.Signals): void => {
  signalOne(pid, signal);
  for (const child of childrenOf(pid)) signalOne(child, signal);
};

/** Whether every thread is stopped. A signal reaches the threads of a process one after the other. */
export const isStopped = (pid: number): boolean => {
  if (process.platform === 'linux') {
    const states = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8'));
    return states.every((stat) => stat.split(') ').at(-1)?.startsWith('T'));
  }
  return execFileSync('ps', ['-o', 'state=', '-p', `${pid}`], { encoding: 'utf8' }).startsWith('T');
};
