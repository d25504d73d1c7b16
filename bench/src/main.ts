// `pnpm bench [scenario ...]`

import { setTimeout as pause } from 'node:timers/promises';
import { parseCommand } from './command-line.ts';
import { runBench } from './run-bench.ts';
import { runStudy, studies } from './studies/index.ts';
import { stopTargets } from './targets/running.ts';
import { explain } from './usage-error.ts';

let isStopping = false;
const stop = async (): Promise<void> => {
  isStopping = true;
  process.stderr.write('\nstopping what was started\n');
  // The end of this process kills the targets that do not stop in time.
  await Promise.race([stopTargets(), pause(5_000)]);
  process.exit(130);
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

const run = async (args: readonly string[]): Promise<void> => {
  const study = studies.find(({ name }) => name === args[0]);
  if (study !== undefined) return runStudy(study, args.slice(1));
  const command = parseCommand(args);
  if (typeof command === 'string') process.stdout.write(command);
  else await runBench(command);
};

try {
  // npm removes the dashes of `npm run bench -- login`; pnpm forwards them.
  const args = process.argv.slice(2);
  await run(args[0] === '--' ? args.slice(1) : args);
} catch (error) {
  // Requests fail when their server is stopped: that is no error.
  if (isStopping) await pause(6_000);
  process.exitCode = 1;
  process.stderr.write(`${explain(error)}\n`);
} finally {
  await stopTargets();
}
process.exit();
