import type { FoundRecord, RecordKey, StorageAdapter, Write } from '@carnet/adapter-contract';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { CarnetError } from '../../errors.ts';
import { listPages } from '../../storage/page.ts';
import { payloadReader } from '../../storage/payload.ts';
import { recordId } from '../../storage/record-id.ts';
import type { Vault } from '../sealing/vault.ts';
import { type Jwk, storedJwk } from './jwk-schema.ts';

const storedKey = z.object({
  jwk: storedJwk,
  /** Milliseconds since 1970. */
  createdAt: z.number(),
});

type StoredKey = Readonly<z.output<typeof storedKey>>;

const readKey = payloadReader(storedKey);

export interface KeySetDependencies extends Clock {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit' | 'list'>;
  readonly vault: Vault;
}

const setKey = (set: string, kid: string): RecordKey => ({
  kind: 'key',
  id: recordId(JSON.stringify(['key-set', set, kid])),
});

/** Every record of every set. */
export const listKeyRecords = async (adapter: Pick<StorageAdapter, 'list'>): Promise<readonly FoundRecord[]> => {
  const all: FoundRecord[] = [];
  for await (const records of listPages(adapter, { kind: 'key', limit: 500 })) all.push(...records);
  return all;
};

/**
 * Named key sets in the store that do not sign tokens. Each key is encrypted in its own record. The name of the set is not
 * encrypted, so that sets can be listed by it.
 *
 * A key that was encrypted with a secret no longer in `secrets.system` is a `server_error`, not an absent key.
 */
export const createKeySets = ({ adapter, vault, now }: KeySetDependencies) => {
  const open = (record: FoundRecord): StoredKey => {
    const opened = vault.open(record.id, record.payload);
    if (opened === undefined) {
      throw new CarnetError(
        'server_error',
        `a key of the set ${record.subject} was encrypted with a secret that is not in secrets.system`,
      );
    }
    return readKey({ kind: 'key', payload: opened });
  };
  const recordOf = (set: string, jwk: Jwk, createdAt = now()) => {
    const key = setKey(set, jwk.kid);
    const stored: StoredKey = { jwk, createdAt };
    return { ...key, payload: vault.seal(key.id, JSON.stringify(stored)), expiresAt: null, subject: set };
  };
  const recordsOf = async (set: string) => (await listKeyRecords(adapter)).filter(({ subject }) => subject === set);

  return {
    /** Replaces a key with the same kid. */
    async put(set: string, jwk: Jwk): Promise<void> {
      await adapter.commit([{ type: 'put', record: recordOf(set, jwk) }]);
    },
    /** Does nothing if the key is absent. */
    async remove(set: string, kid: string): Promise<void> {
      await adapter.commit([{ type: 'remove', key: setKey(set, kid) }]);
    },
    async find(set: string, kid: string): Promise<Jwk | undefined> {
      const [found] = await adapter.read([setKey(set, kid)]);
      return found && open(found).jwk;
    },
    /** The keys of a set, newest first. Empty if there is no such set. Reads all keys of all sets: not for the hot path. */
    async list(set: string): Promise<readonly Jwk[]> {
      const all = (await recordsOf(set)).map(open);
      return all.sort((a, b) => b.createdAt - a.createdAt).map(({ jwk }) => jwk);
    },
    /** @throws CarnetError `conflict` if the set has a key with that kid */
    async add(set: string, jwk: Jwk): Promise<void> {
      const conflict = await adapter.commit([{ type: 'claim', record: recordOf(set, jwk) }]);
      if (conflict) throw new CarnetError('conflict', 'The set has a key with this kid.');
    },
    /** Replaces all keys of a set. A set without keys is removed. */
    async replace(set: string, jwks: readonly Jwk[]): Promise<void> {
      const kept = new Set(jwks.map(({ kid }) => setKey(set, kid).id));
      const others = (await recordsOf(set)).filter(({ id }) => !kept.has(id));
      // In the order of the request: the first key is listed first.
      const puts = jwks.map((jwk, i): Write => ({ type: 'put', record: recordOf(set, jwk, now() - i) }));
      const writes = [...puts, ...others.map((key): Write => ({ type: 'remove', key }))];
      if (writes.length > 0) await adapter.commit(writes);
    },
  };
};

export type KeySets = ReturnType<typeof createKeySets>;
