import { setFlagsFromString } from 'node:v8';
import type { Config } from '@carnet/provider';
import type { Environment } from '../env.ts';

/** Megabytes of the young generation. With 2 a login takes 2 to 11 % more CPU time; V8's own 16 make a worker three times as large. */
const semiSpaceMegabytes = 4;
/** Requests that wait for a signing service outlive a small young generation: with 2 MB they cost twice the CPU time. */
const semiSpaceOfWaitingMegabytes = 16;
/** How much the heap may grow, after a collection, before the next one. V8's own choice is up to four times as much. */
const heapGrowingPercent = 10;
/** A collection reads the whole heap. With 200 MB for a thousand issuers and 10 percent, a login costs four times the CPU time. */
const growingPercentOfIssuers = 60;
const growing = '--heap-growing-percent';
/** glibc keeps freed memory in arenas, by default eight for each core. One thread of a worker needs only one. */
const mallocArenas = '1';

interface WorkerStart {
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const isChosen = (options: readonly (string | undefined)[]): boolean =>
  options.some((each) => each?.includes('--max-semi-space-size') === true);

/**
 * The options that keep a worker process small, unless it waits for a service that signs. A worker with several issuers collects
 * garbage later. They do not override those of the operator: `NODE_OPTIONS` with
 * `--max-semi-space-size`, and `MALLOC_ARENA_MAX`.
 */
export const workerStartOf = (
  { NODE_OPTIONS, MALLOC_ARENA_MAX = mallocArenas }: Environment,
  execArgv: readonly string[],
  { source, hasIssuers = false }: Pick<Config['keys'], 'source'> & { readonly hasIssuers?: boolean },
): WorkerStart => {
  const megabytes = source === 'external' || hasIssuers ? semiSpaceOfWaitingMegabytes : semiSpaceMegabytes;
  const chosen = [
    `--max-semi-space-size=${megabytes}`,
    ...(hasIssuers ? [`${growing}=${growingPercentOfIssuers}`] : []),
  ];
  return {
    execArgv: isChosen([NODE_OPTIONS, ...execArgv]) ? execArgv : [...execArgv, ...chosen],
    env: { MALLOC_ARENA_MAX },
  };
};

/**
 * Makes a process that serves collect garbage sooner, unless the operator has set a size in `NODE_OPTIONS`. A V8 that does
 * not know the flag ignores it. With several issuers it keeps the young generation of V8, which has the size of such a worker.
 */
export const collectSooner = ({ NODE_OPTIONS }: Environment, hasIssuers = false, set = setFlagsFromString): void => {
  const isSet = process.execArgv.some((option) => option.startsWith(growing));
  const percent = hasIssuers ? growingPercentOfIssuers : heapGrowingPercent;
  if (!isSet && !isChosen([NODE_OPTIONS])) set(`${growing}=${percent}`);
};
