import type { DatabaseRequest, Entity, Key, Partition, Value } from './protocol.ts';
import { refuse } from './refusal.ts';

const mostBytesOfName = 1_500;
const mostBytesOfEntity = 1_048_572;

/** Ends each part of an id, so that an ancestor's id begins the ids of its descendants. */
const end = '\0';

/** What the id of each key in a namespace begins with. */
export const namespaceOf = (partition: Partition | null): string => `${partition?.namespaceId ?? ''}${end}`;

/** A key as text that sorts as keys do: by namespace, then along the path, an ancestor before its descendants. */
export const idOf = ({ partitionId, path }: Key): string =>
  namespaceOf(partitionId) + path.map(({ kind, name }) => `${kind}${end}${name}${end}`).join('');

export const kindOf = ({ path }: Key): string => path.at(-1)?.kind ?? '';

const checkText = (what: string, text: string): void => {
  const bytes = Buffer.byteLength(text);
  if (bytes === 0 || bytes > mostBytesOfName)
    refuse('INVALID_ARGUMENT', `A ${what} has 1 to ${mostBytesOfName} bytes.`);
  if (/^__.*__$/s.test(text)) refuse('INVALID_ARGUMENT', `A ${what} is reserved: ${text}.`);
  if (text.includes(end)) refuse('UNIMPLEMENTED', `This server has no ${what} with a NUL.`);
};

/** @throws {Refusal} for a partition of another database. */
export const checkPartition = (partition: Partition | null, { projectId, databaseId }: DatabaseRequest): void => {
  const isOther = (given: string | undefined, own: string) => (given || own) !== own;
  if (isOther(partition?.projectId, projectId) || isOther(partition?.databaseId, databaseId))
    refuse('INVALID_ARGUMENT', 'The key or query is of another project or database than the request.');
};

/** @throws {Refusal} for a key that the API refuses, and for one without names. */
export const checkKey = (key: Key, request: DatabaseRequest): Key => {
  checkPartition(key.partitionId, request);
  if (key.path.length === 0) refuse('INVALID_ARGUMENT', 'The key path is empty.');
  for (const { kind, name } of key.path) {
    checkText('kind', kind);
    checkText('name', name ?? refuse('UNIMPLEMENTED', 'This server has no keys with ids.'));
  }
  return key;
};

const bytesOf = (name: string, value: Value): number => {
  switch (value.valueType) {
    case 'stringValue': {
      const bytes = Buffer.byteLength(value.stringValue ?? '');
      if (bytes > mostBytesOfName && !value.excludeFromIndexes)
        refuse(
          'INVALID_ARGUMENT',
          `The value of the indexed property ${name} is longer than ${mostBytesOfName} bytes.`,
        );
      return bytes + 1;
    }
    case 'timestampValue':
      return 8;
    case 'arrayValue':
      if (value.excludeFromIndexes) refuse('INVALID_ARGUMENT', 'A list_value must not set exclude_from_indexes.');
      return (value.arrayValue?.values ?? []).reduce((sum, element) => sum + bytesOf(name, element), 0);
    default:
      return refuse('UNIMPLEMENTED', `This server stores no ${value.valueType}.`);
  }
};

/** The size of an entity, about as documented. @throws {Refusal} for an entity that the API does not store. */
export const checkEntity = ({ key, properties }: Entity): number => {
  const sizes = Object.entries(properties).map(([name, value]) => name.length + 1 + bytesOf(name, value));
  const bytes = sizes.reduce((sum, size) => sum + size, Buffer.byteLength(idOf(key)) + 48);
  return bytes <= mostBytesOfEntity ? bytes : refuse('INVALID_ARGUMENT', 'The entity is larger than 1 MiB.');
};
