import type { Environment } from '../src/env.ts';
import { run } from '../src/run.ts';

/** Runs a command in this process, with its lines on both outputs. */
export const runCarnet = async (argv: readonly string[], env: Environment = {}, input = '') => {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await run(argv, {
    env,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    in: async () => input,
  });
  return { exitCode, out: out.join('\n'), err: err.join('\n') };
};
