import { setFlagsFromString } from 'node:v8';
import type { Config } from '@carnet/provider';
import type { Environment } from '../env.ts';

/** Megabytes of the young generation. With 2 a login takes 2 to 11 % more CPU time; V8's own 16 make a worker three times as large. */
const semiSpaceMegabytes = 4;
/** Requests that wait for a signing service outlive a small young generation: with 2 MB they cost twice the CPU time. */
const semiSpaceOfWaitingMegabytes = 16;
/** How much the heap may grow, after a collection, before the next one. V8's own choice is up to four times as much. */
const heapGrowingPercent = 10;
/** glibc keeps freed memory in arenas, by default eight for each core. One thread of a worker needs only one. */
const mallocArenas = '1';

interface WorkerStart {
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const isChosen = (options: readonly (string | undefined)[]): boolean =>
  options.some((each) => each?.includes('--max-semi-space-size') === true);

/**
 * The options that keep a worker process small, unless it waits for a service that signs. They do not override those of the operator: `NODE_OPTIONS` with
 * `--max-semi-space-size`, and `MALLOC_ARENA_MAX`.
 */
export const workerStartOf = (
  { NODE_OPTIONS, MALLOC_ARENA_MAX = mallocArenas }: Environment,
  execArgv: readonly string[],
  { source }: Pick<Config['keys'], 'source'>,
): WorkerStart => {
  const megabytes = source === 'external' ? semiSpaceOfWaitingMegabytes : semiSpaceMegabytes;
  return {
    execArgv: isChosen([NODE_OPTIONS, ...execArgv]) ? execArgv : [...execArgv, `--max-semi-space-size=${megabytes}`],
    env: { MALLOC_ARENA_MAX },
  };
};

/**
 * Makes a process that serves collect garbage sooner, unless the operator has set a size in `NODE_OPTIONS`. A V8 that does
 * not know the flag ignores it.
 */
export const collectSooner = ({ NODE_OPTIONS }: Environment): void => {
  if (!isChosen([NODE_OPTIONS])) setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
};
