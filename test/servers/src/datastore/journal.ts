import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { type CommitRequest, definition, type Mutation } from './protocol.ts';
import type { Change, Version } from './store.ts';

interface Serializer {
  requestSerialize(request: object): Buffer;
  requestDeserialize(bytes: Buffer): object;
}

const { requestSerialize, requestDeserialize } = definition.Commit as unknown as Serializer;

const toMutation = ({ key, entity }: Change, version: Version) => ({
  ...(entity === undefined ? { delete: key } : { upsert: entity }),
  baseVersion: `${version}`,
});

const toChange = (mutation: Mutation): Change => {
  const key = mutation.upsert?.key ?? mutation.delete;
  if (!key) throw new Error('The journal has a change without a key.');
  return { key, entity: mutation.upsert };
};

/** A file of what was committed: each entry is its length and a CommitRequest of upserts and deletes. */
export interface Journal {
  append(changes: readonly Change[], version: Version): void;
  close(): void;
}

/** Answers where the last whole entry ends. A process that was killed may have left half of one. */
const replay = (bytes: Buffer, apply: (changes: readonly Change[], version: Version) => void): number => {
  let at = 0;
  while (at + 4 <= bytes.length && at + 4 + bytes.readUInt32BE(at) <= bytes.length) {
    const end = at + 4 + bytes.readUInt32BE(at);
    const { mutations } = requestDeserialize(bytes.subarray(at + 4, end)) as CommitRequest;
    apply(mutations.map(toChange), Number(mutations[0]?.baseVersion));
    at = end;
  }
  return at;
};

/**
 * Opens the file, and applies what it has. An entry is handed to the operating system before its commit is answered: it
 * survives the end of the process, not that of the machine.
 */
export const openJournal = (file: string, apply: (changes: readonly Change[], version: Version) => void): Journal => {
  if (existsSync(file)) truncateSync(file, replay(readFileSync(file), apply));
  const descriptor = openSync(file, 'a');
  return {
    append(changes, version) {
      const entry = requestSerialize({ mutations: changes.map((change) => toMutation(change, version)) });
      const length = Buffer.alloc(4);
      length.writeUInt32BE(entry.length);
      writeSync(descriptor, Buffer.concat([length, entry]));
    },
    close: () => closeSync(descriptor),
  };
};
