import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('watchdog.sh', import.meta.url));

/** A process that outlives this one by a moment, and leaves neither server nor folder behind, even after `kill -9`. */
export const startWatchdog = (endSignal: NodeJS.Signals, folder: string) => {
  const child = spawn('/bin/sh', [script, endSignal.replace('SIG', ''), folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = once(child, 'exit');
  // It cannot be told any more: whoever waits for its end sees that.
  child.stdin.on('error', () => {});
  return {
    /** The server's process id from now on; `undefined` while it is down. */
    watch(pid: number | undefined): void {
      child.stdin.write(`${pid ?? ''}\n`);
    },
    /** Ends what is watched, and resolves when that and the folder are gone. */
    async close(): Promise<void> {
      child.stdin.end();
      await gone;
    },
  };
};
