// `pnpm bench [scenario ...]`

import { setTimeout as pause } from 'node:timers/promises';
import { parseCommand } from './command-line.ts';
import { runBench } from './run-bench.ts';
import { runStudy, studies } from './studies/index.ts';
import { stopTargets } from './targets/running.ts';
import { UsageError } from './usage-error.ts';

let isStopping = false;
const stop = async (): Promise<void> => {
  isStopping = true;
  process.stderr.write('\nstopping what was started\n');
  // What does not stop by itself is killed with this process.
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
  // `pnpm bench -- login` as well: pnpm hands on the dashes that npm takes away.
  const args = process.argv.slice(2);
  await run(args[0] === '--' ? args.slice(1) : args);
} catch (error) {
  // What was under way ends with what it asked.
  if (isStopping) await pause(6_000);
  process.exitCode = 1;
  // What was asked for cannot be done: the message says what can. Anything else is told whole.
  process.stderr.write(`${error instanceof UsageError ? `bench: ${error.message}` : (error as Error).stack}\n`);
} finally {
  await stopTargets();
}
process.exit();
