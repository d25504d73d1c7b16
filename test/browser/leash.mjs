// Runs a command, as the leader of a process group, for as long as whoever asked for it is there: when that process is
// gone, however it went, our standard input closes, and the whole group ends.
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
const graceMs = 3_000;

const endGroup = (signal) => process.kill(-process.pid, signal);

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.once('exit', (code) => process.exit(code ?? 1));

// The group is signalled as a whole: the command decides when it is over.
process.on('SIGTERM', () => {});
process.stdin.resume().once('close', () => {
  child.removeAllListeners('exit');
  endGroup('SIGTERM');
  setTimeout(endGroup, graceMs, 'SIGKILL');
});
