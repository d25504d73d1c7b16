import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { checkEntity } from './entities.ts';
import { checkWritable, completeKey, isIncompleteKey, readKey, showKey } from './keys.ts';
import { encodeKey } from './order.ts';
import type { DatabaseRequest, Entity, Key, Mutation, PropertyMask, Timestamp, Value } from './protocol.ts';
import { refuse } from './refusal.ts';
import { type Store, type Stored, toTimestamp, type Version } from './store.ts';
import { applyTransforms } from './transforms.ts';

export type Operation = 'insert' | 'update' | 'upsert' | 'delete';

/** A mutation whose key is known. */
export interface Prepared {
  readonly id: string;
  readonly key: Key;
  readonly operation: Operation;
  readonly allocated: boolean;
  readonly entity: Entity | undefined;
  readonly mutation: Mutation;
}

export interface MutationResult {
  readonly key?: Key;
  readonly version: string;
  readonly createTime?: Timestamp;
  readonly updateTime?: Timestamp;
  readonly conflictDetected: boolean;
  readonly transformResults: readonly Value[];
}

/** What a mutation leaves: `changed` is false where the entity remains as it is. */
export interface Outcome {
  readonly changed: boolean;
  readonly after: Stored | undefined;
  readonly result: MutationResult;
}

export const allocateId = (isTaken: (key: Key) => boolean, key: Key): Key => {
  for (;;) {
    const complete = completeKey(key, `${randomInt(2 ** 47)}${randomInt(10)}`);
    if (complete.path.at(-1)?.id !== '0' && !isTaken(complete)) return complete;
  }
};

const checkStrategy = ({ conflictDetectionStrategy, conflictResolutionStrategy, operation }: Mutation): void => {
  if (operation === undefined) refuse('INVALID_ARGUMENT', 'The mutation has no operation.');
  if (conflictResolutionStrategy !== 'STRATEGY_UNSPECIFIED' && conflictDetectionStrategy === undefined) {
    refuse('INVALID_ARGUMENT', 'conflict_resolution_strategy is set without a conflict_detection_strategy.');
  }
};

/** Checks a mutation by itself, and allocates the id of an incomplete key. */
export const prepare = (mutation: Mutation, request: DatabaseRequest, isTaken: (key: Key) => boolean): Prepared => {
  checkStrategy(mutation);
  const operation = mutation.operation ?? 'delete';
  const given = operation === 'delete' ? undefined : mutation[operation];
  const mayAllocate = operation === 'insert' || operation === 'upsert';
  const read = readKey(given?.key ?? mutation.delete, request, mayAllocate ? 'either' : 'complete');
  checkWritable(read);
  const allocated = isIncompleteKey(read);
  const key = allocated ? allocateId(isTaken, read) : read;
  const entity = given && { key, properties: given.properties };
  if (entity) checkEntity(key, entity, request);
  if (!entity && (mutation.propertyTransforms?.length ?? 0) > 0) {
    refuse('INVALID_ARGUMENT', 'A delete has property transforms.');
  }
  return { id: encodeKey(key), key, operation, allocated, entity, mutation };
};

const sameTime = (one: Timestamp | undefined, other: Timestamp): boolean =>
  one?.seconds === other.seconds && Math.floor(one.nanos / 1_000) === Math.floor(other.nanos / 1_000);

const hasConflict = ({ conflictDetectionStrategy, baseVersion, updateTime }: Mutation, current: Stored | undefined) => {
  if (conflictDetectionStrategy === undefined) return false;
  if (conflictDetectionStrategy === 'updateTime') {
    return current === undefined || !sameTime(updateTime, toTimestamp(current.version));
  }
  if (BigInt(baseVersion ?? '0') < 0n) refuse('INVALID_ARGUMENT', 'A base_version is not negative.');
  // An entity that does not exist has the version 0, as Google's emulator has it.
  return baseVersion !== `${current?.version ?? 0}`;
};

const checkExistence = ({ operation, key }: Prepared, current: Stored | undefined): void => {
  if (operation === 'insert' && current) refuse('ALREADY_EXISTS', `entity already exists: ${showKey(key)}`);
  if (operation === 'update' && !current) refuse('NOT_FOUND', `no entity to update: ${showKey(key)}`);
};

const applyMask = (entity: Entity, mask: PropertyMask | null | undefined, current: Stored | undefined): Entity => {
  if (!mask) return entity;
  if (mask.paths.some((path) => path === '' || /[.\\]/.test(path))) {
    refuse('UNIMPLEMENTED', 'This server has masks of whole properties only.');
  }
  const properties = { ...current?.entity.properties };
  for (const path of mask.paths) {
    const value = entity.properties[path];
    if (value === undefined) delete properties[path];
    else properties[path] = value;
  }
  return { key: entity.key, properties };
};

const resultOf = (
  stored: Stored | undefined,
  version: Version,
  more: Partial<MutationResult> = {},
): MutationResult => ({
  version: `${stored?.version ?? version}`,
  ...(stored && { createTime: toTimestamp(stored.createdAt), updateTime: toTimestamp(stored.version) }),
  conflictDetected: false,
  transformResults: [],
  ...more,
});

/**
 * Evaluates one mutation against the current entity.
 *
 * @throws {Refusal} ALREADY_EXISTS, NOT_FOUND, and FAILED_PRECONDITION for a conflict that is to fail the commit.
 */
export const mutate = (
  prepared: Prepared,
  current: Stored | undefined,
  { version, request }: { readonly version: Version; readonly request: DatabaseRequest },
): Outcome => {
  const { mutation, key, entity } = prepared;
  if (hasConflict(mutation, current)) {
    if (mutation.conflictResolutionStrategy === 'FAIL') {
      return refuse(
        'FAILED_PRECONDITION',
        `the stored version (${current?.version ?? 0}) does not match the required base version`,
      );
    }
    return { changed: false, after: current, result: resultOf(current, version, { conflictDetected: true }) };
  }
  checkExistence(prepared, current);
  if (entity === undefined)
    return { changed: current !== undefined, after: undefined, result: resultOf(undefined, version) };
  const masked = applyMask(entity, mutation.propertyMask, current);
  const transformed = applyTransforms(masked, mutation.propertyTransforms ?? [], version);
  checkEntity(key, transformed.entity, request);
  const more = { transformResults: transformed.results, ...(prepared.allocated && { key }) };
  // A write of what is there already is no change: version and update time remain.
  if (current && isDeepStrictEqual(current.entity.properties, transformed.entity.properties)) {
    return { changed: false, after: current, result: resultOf(current, version, more) };
  }
  const after = { entity: transformed.entity, version, createdAt: current?.createdAt ?? version };
  return { changed: true, after, result: resultOf(after, version, more) };
};

export const isStored = (store: Store) => (key: Key) => store.read(encodeKey(key)) !== undefined;
