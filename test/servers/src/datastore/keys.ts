import { limits } from './limits.ts';
import type { DatabaseRequest, Key, PathElement } from './protocol.ts';
import { refuse } from './refusal.ts';

/** `complete`: the last element has an id or a name. `either`: the server may have to allocate an id. */
export type Completeness = 'complete' | 'incomplete' | 'either';

const isReserved = (name: string): boolean => /^__.*__$/s.test(name);
const sizeOf = (text: string): number => Buffer.byteLength(text);

const checkName = (what: string, name: string): void => {
  if (name === '') refuse('INVALID_ARGUMENT', `The ${what} is the empty string.`);
  if (sizeOf(name) > limits.maxNameBytes) {
    refuse('INVALID_ARGUMENT', `The ${what} is longer than ${limits.maxNameBytes} bytes.`);
  }
};

const isIncomplete = ({ id, name }: PathElement): boolean => id === undefined && name === undefined;

const checkElement = (element: PathElement): void => {
  checkName('key path element kind', element.kind);
  if (element.name !== undefined) checkName('key path element name', element.name);
  if (element.id === '0') refuse('INVALID_ARGUMENT', 'The key path element id is 0.');
};

/** The documented sum: 16 bytes, the namespace, and kind and identifier of each element. */
export const keyBytes = ({ partitionId, path }: Key): number =>
  path.reduce(
    (sum, { kind, name }) => sum + sizeOf(kind) + 1 + (name === undefined ? 8 : sizeOf(name) + 1),
    16 + (partitionId?.namespaceId ? sizeOf(partitionId.namespaceId) + 1 : 0),
  );

/** The key with its partition in full. @throws {Refusal} for a key that the API refuses. */
export const readKey = (key: Key | null | undefined, request: DatabaseRequest, completeness: Completeness): Key => {
  if (!key || key.path.length === 0) return refuse('INVALID_ARGUMENT', 'The key path is empty.');
  const { projectId, databaseId } = request;
  const partition = key.partitionId ?? { projectId: '', databaseId: '', namespaceId: '' };
  if ((partition.projectId || projectId) !== projectId || (partition.databaseId || databaseId) !== databaseId) {
    return refuse('INVALID_ARGUMENT', 'The key is of another project or database than the request.');
  }
  if (key.path.length > limits.maxPathElements) {
    return refuse('INVALID_ARGUMENT', `The key path has more than ${limits.maxPathElements} elements.`);
  }
  key.path.forEach(checkElement);
  if (key.path.slice(0, -1).some(isIncomplete)) refuse('INVALID_ARGUMENT', 'The key path has an incomplete ancestor.');
  const incomplete = key.path.slice(-1).some(isIncomplete);
  if (incomplete && completeness === 'complete') refuse('INVALID_ARGUMENT', 'The key path is incomplete.');
  if (!incomplete && completeness === 'incomplete') refuse('INVALID_ARGUMENT', 'The key path is complete.');
  const full = { partitionId: { ...partition, projectId, databaseId }, path: key.path };
  if (keyBytes(full) > limits.maxKeyBytes)
    refuse('INVALID_ARGUMENT', `The key is larger than ${limits.maxKeyBytes} bytes.`);
  return full;
};

/** @throws {Refusal} for a key that only the service itself writes. */
export const checkWritable = ({ path }: Key): void => {
  if (path.some(({ kind, name }) => isReserved(kind) || isReserved(name ?? ''))) {
    refuse('INVALID_ARGUMENT', 'The key is reserved: a kind or a name begins and ends with two underscores.');
  }
};

export const isIncompleteKey = ({ path }: Key): boolean => path.slice(-1).some(isIncomplete);

export const completeKey = (key: Key, id: string): Key => ({
  ...key,
  path: key.path.map((element, at) => (at === key.path.length - 1 ? { kind: element.kind, id } : element)),
});

/** As the real service names a key in errors. */
export const showKey = ({ path }: Key): string =>
  `path <${path.map(({ kind, id, name }) => `Element { type: "${kind}" ${name === undefined ? `id: ${id}` : `name: "${name}"`} }`).join(' ')}>`;

export const kindOf = ({ path }: Key): string => path.at(-1)?.kind ?? '';

export { isReserved };
