/** `@carnet/adapter-contract/kit`: what the ports of Carnet and their implementations share. */
export {
  applyWrites,
  type Base,
  type Change,
  isUnexpired,
  keysOf,
  nameOfRecord,
} from './apply-writes.ts';
export { type AdminRequest, type AdminServer, requestAdmin } from './kit/admin-request.ts';
export { atMost } from './kit/at-most.ts';
export { batchesOf } from './kit/batches.ts';
export {
  black,
  type Color,
  contrast,
  formatColor,
  minimumContrast,
  mix,
  nearestWithContrast,
  parseColor,
  textOn,
  white,
} from './kit/color.ts';
export { type Deadline, deadlineIn, millisecondsUntil, TimeoutError, within } from './kit/deadline.ts';
export { createDividedQueue } from './kit/divided-queue.ts';
export { createGatherer, shareOut } from './kit/gather.ts';
export { escapeHtml } from './kit/html.ts';
export { isObject, type JsonObject, type ObjectsRead, objectsIn, parseJson } from './kit/json.ts';
export { createKeyedQueue, type KeyedQueueOptions } from './kit/keyed-queue.ts';
export { assertHolds, assertSame, type LawOf, type MutantOf, problemsIn } from './kit/law.ts';
export { isLoopbackHost } from './kit/loopback.ts';
export { parametersIn } from './kit/query.ts';
export { createRenewed, type Renewed, type RenewedOptions } from './kit/renewed.ts';
export { type Retries, repeat } from './kit/repeat.ts';
export { createSerialiser, type Serialiser } from './kit/serialiser.ts';
export { Sha256 } from './kit/sha256.ts';
export { createSingleFlight, type SingleFlight } from './kit/single-flight.ts';
export { createTokenBucket, type TokenBucketOptions } from './kit/token-bucket.ts';
export { createWorkQueue, type WorkQueue, type WorkQueueOptions } from './kit/work-queue.ts';
