import type { Entity, EntityKey, Mutation, Value } from './wire.ts';

/** The limits of the service, in bytes. */
const mostBytesOfEntity = 1_048_572;
const mostBytesOfCommit = 10 * 1024 * 1024;

/** Names, kinds, numbers and the encoding of the messages. */
const overheadOfEntity = 1_024;

const sizeOfValue = ({ stringValue, arrayValue }: Value): number =>
  Buffer.byteLength(stringValue ?? '') +
  (arrayValue?.values.reduce((sum, value) => sum + sizeOfValue(value) + 16, 0) ?? 0);

const sizeOfKey = ({ path }: EntityKey): number =>
  path.reduce((sum, { kind, name }) => sum + Buffer.byteLength(kind + name), 0);

const sizeOfEntity = ({ key, properties }: Entity): number =>
  Object.values(properties).reduce((sum, value) => sum + sizeOfValue(value), sizeOfKey(key) + overheadOfEntity);

const entityOf = (mutation: Mutation): Entity | undefined => {
  if ('insert' in mutation) return mutation.insert;
  return 'upsert' in mutation ? mutation.upsert : undefined;
};

/** @throws RangeError if the service would refuse the mutations for their size */
export const assertWithinLimits = (mutations: readonly Mutation[]): void => {
  const entities = mutations.flatMap((mutation) => entityOf(mutation) ?? []);
  const sizes = entities.map(sizeOfEntity);
  const largest = Math.max(0, ...sizes);
  if (largest > mostBytesOfEntity)
    throw new RangeError(`A record of ${largest} bytes is larger than an entity of Datastore may be: 1 MiB.`);
  const total = sizes.reduce((sum, size) => sum + size, (mutations.length - sizes.length) * overheadOfEntity);
  if (total > mostBytesOfCommit)
    throw new RangeError(`A commit of ${total} bytes is larger than a commit of Datastore may be: 10 MiB.`);
};
