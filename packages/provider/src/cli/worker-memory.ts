import { setFlagsFromString } from 'node:v8';

/** Megabytes. A request leaves little behind that lives on: V8's own 16 and more only wait longer to be collected. */
const semiSpaceMegabytes = 2;
/** How much the heap may grow, after a collection, before the next one. V8's own choice is up to four times as much. */
const heapGrowingPercent = 10;
/** glibc keeps freed memory in pools, by default eight for each core, of which few threads here have a use for. */
const mallocArenas = '2';

interface WorkerStart {
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a worker process is started with, so that many of them fit on a machine. What the operator has set stands:
 * `NODE_OPTIONS` with `--max-semi-space-size`, `MALLOC_ARENA_MAX`.
 */
export const workerStartOf = (
  { NODE_OPTIONS = '', MALLOC_ARENA_MAX = mallocArenas }: Environment,
  execArgv: readonly string[],
): WorkerStart => {
  const isSet = [NODE_OPTIONS, ...execArgv].some((options) => options.includes('--max-semi-space-size'));
  return {
    execArgv: isSet ? execArgv : [...execArgv, `--max-semi-space-size=${semiSpaceMegabytes}`],
    env: { MALLOC_ARENA_MAX },
  };
};

/** Has a process that serves collect its garbage sooner; what a V8 does not know of this is without effect. */
export const collectSooner = (): void => setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
