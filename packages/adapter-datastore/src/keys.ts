import type { Kind, RecordKey } from '@carnet/adapter-contract';
import { nameOfRecord } from '@carnet/adapter-contract/kit';
import type { Address } from './address.ts';
import type { EntityKey } from './wire.ts';

/** The kind of all entities. One kind: one sweep, one TTL policy. */
export const recordKind = 'carnet_record';
/** The kind of the ancestors. No entity has it: an ancestor is a part of keys. */
const grantKind = 'carnet_grant';

/** No two records have the same name. */
export const nameOf = nameOfRecord;

export interface Keys {
  readonly partitionId: EntityKey['partitionId'];
  /** All records of a grant have it as their ancestor. */
  grant(grantId: string): EntityKey;
  record(key: RecordKey): EntityKey;
}

export const createKeys = ({ projectId, databaseId, namespaceId }: Address): Keys => {
  const partitionId = { projectId, databaseId, namespaceId };
  const grantPath = (grantId: string) => [{ kind: grantKind, name: grantId }];
  return {
    partitionId,
    grant: (grantId) => ({ partitionId, path: grantPath(grantId) }),
    record: (key) => ({
      partitionId,
      path: [...(key.grantId === undefined ? [] : grantPath(key.grantId)), { kind: recordKind, name: nameOf(key) }],
    }),
  };
};

/** The record of a key. */
export const parseKey = ({ path }: EntityKey): RecordKey => {
  const name = path.at(-1)?.name ?? '';
  const separator = name.indexOf(':');
  const key = { kind: name.slice(0, separator) as Kind, id: name.slice(separator + 1) };
  return path.length === 1 ? key : { ...key, grantId: path[0]?.name };
};
