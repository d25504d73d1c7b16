import { createPrivateKey, type JsonWebKeyInput } from 'node:crypto';
import type { FoundRecord, StorageAdapter, StoredRecord, Write } from '@carnet/adapter-contract';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { ConfigError } from '../../errors.ts';
import { payloadReader } from '../../storage/payload.ts';
import { recordId } from '../../storage/record-id.ts';
import { wrappedKeyRecord } from '../remote/data-key.ts';
import type { RemotePublicKey } from '../remote/remote-keys.ts';
import { withoutService } from '../remote/remote-signer.ts';
import type { Vault } from '../sealing/vault.ts';
import { storedJwk } from '../sets/jwk-schema.ts';
import { listKeyRecords } from '../sets/key-sets.ts';
import { createLocalSigner, type Signer, signingAlgorithms } from '../signing/signer.ts';

/** Encrypts records with the first secret of the vault. Returns how many; others cannot be decrypted, or are gone. */
export const sealAgain = async (
  records: readonly FoundRecord[],
  deps: { readonly adapter: Pick<StorageAdapter, 'commit'>; readonly vault: Pick<Vault, 'seal' | 'open'> },
): Promise<number> => {
  const { adapter, vault } = deps;
  let count = 0;
  for (const { consumedAt: _, members: __, ...record } of records) {
    const text = vault.open(record.id, record.payload);
    if (text === undefined) continue;
    const resealed = { ...record, payload: vault.seal(record.id, text) };
    // `onlyIfPresent`: a key that was removed meanwhile is not restored.
    if ((await adapter.commit([{ type: 'put', record: resealed, onlyIfPresent: true }])) === undefined) count += 1;
  }
  return count;
};

/** The set name in the records of signing keys. The admin API stores no other keys under it. */
const signingSet = 'hydra.openid.id-token';

/** A signing key as it is encrypted in the store. */
const sealedKey = z.object({
  kid: z.string(),
  alg: z.enum(signingAlgorithms),
  generation: z.number(),
  activeAt: z.number(),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  /** Private; of a key in a service, public. */
  jwk: storedJwk,
  /** The key version in a service, which has the private part. */
  remote: z.object({ service: z.string(), handle: z.string() }).optional(),
});

type SealedKey = Readonly<z.output<typeof sealedKey>>;

const readKey = payloadReader(sealedKey);

export interface StoredKey extends Omit<SealedKey, 'jwk'> {
  readonly recordId: string;
  readonly signer: Signer;
}

export interface NewKey extends Pick<SealedKey, 'alg' | 'generation' | 'activeAt' | 'jwk' | 'remote'> {
  /** A record of the same key, which the new one replaces. */
  readonly replaced?: Pick<StoredKey, 'recordId'>;
}

export interface StoredKeysDependencies extends Clock {
  readonly adapter: Pick<StorageAdapter, 'commit' | 'list'>;
  readonly vault: Vault;
  /** The signer of a key in a service. Default: it verifies, and does not sign. */
  readonly toSigner?: (key: RemotePublicKey) => Signer;
}

/** @throws ConfigError if the key cannot be decrypted */
const unseal = ({ id, payload }: FoundRecord, vault: Vault): SealedKey => {
  const opened = vault.open(id, payload);
  if (opened !== undefined) return readKey({ kind: 'key', payload: opened });
  throw new ConfigError([
    'secrets.system: a signing key in the store was encrypted with a secret that is not configured. Append that secret to the list. If a key of a service encrypts the keys, set keys.sealedBy (KEYS_SEALED_BY) to it.',
  ]);
};

const signerOf = ({ jwk, kid, alg, remote }: SealedKey, toSigner: (key: RemotePublicKey) => Signer): Signer => {
  const key = jwk as JsonWebKeyInput['key'];
  if (remote) return toSigner({ kid, alg, remote, publicJwk: key });
  return createLocalSigner({ privateKey: createPrivateKey({ key, format: 'jwk' }), kid });
};

/** The signing keys in the store: one record for each generation of each algorithm. */
export const createStoredKeys = ({ adapter, vault, toSigner = withoutService, now }: StoredKeysDependencies) => {
  /** Cached while the record is unchanged: importing a private key takes longer than reading a page of the list. */
  let known: ReadonlyMap<string, StoredKey> = new Map();
  let outdated: readonly FoundRecord[] = [];

  const recordOf = (id: string, key: SealedKey): StoredRecord => {
    const payload = vault.seal(id, JSON.stringify(key));
    return { kind: 'key', id, payload, expiresAt: null, subject: signingSet };
  };

  const open = (record: FoundRecord): StoredKey => {
    const key = unseal(record, vault);
    const { jwk: _, ...others } = key;
    return { ...others, recordId: record.id, signer: signerOf(key, toSigner) };
  };

  return {
    /** Loads every key. If two have the same kid, the older one. @throws ConfigError if a key cannot be decrypted */
    async load(): Promise<readonly StoredKey[]> {
      const all = await listKeyRecords(adapter);
      outdated = all.filter(({ id, payload }) => id !== wrappedKeyRecord.id && !vault.isCurrent(payload));
      const records = all.filter(({ subject }) => subject === signingSet);
      const opened = new Map(records.map((record) => [record.payload, known.get(record.payload) ?? open(record)]));
      known = opened;
      const byAge = [...opened.values()].sort((a, b) => b.createdAt - a.createdAt);
      return [...new Map(byAge.map((key) => [key.kid, key])).values()];
    },
    /** Stores a new generation. Returns whether this call did: of several processes, exactly one succeeds. */
    async claim({ replaced, ...key }: NewKey): Promise<boolean> {
      const id = recordId(JSON.stringify(['signing-key', key.alg, key.generation]));
      const record = recordOf(id, { ...key, kid: key.jwk.kid, createdAt: now() });
      // This claim is the step that prevents two processes from creating a successor each.
      const claim: Write = { type: 'claim', record };
      const removal: Write[] = replaced ? [{ type: 'remove', key: { kind: 'key', id: replaced.recordId } }] : [];
      return (await adapter.commit([claim, ...removal])) === undefined;
    },
    /** Changes the time from which a key may sign, if it still exists. */
    async reschedule({ recordId: id }: StoredKey, activeAt: number): Promise<void> {
      const found = (await listKeyRecords(adapter)).find((record) => record.id === id);
      if (found === undefined) return;
      const record = recordOf(id, { ...unseal(found, vault), activeAt });
      await adapter.commit([{ type: 'put', record, onlyIfPresent: true }]);
    },
    async remove(keys: readonly StoredKey[]): Promise<void> {
      if (keys.length === 0) return;
      await adapter.commit(keys.map(({ recordId: id }) => ({ type: 'remove', key: { kind: 'key', id } }) as const));
    },
    /** Encrypts with the first secret the keys that the last `load` found encrypted with another, also keys of other sets. */
    async sealAgain(): Promise<number> {
      const records = outdated;
      outdated = [];
      return sealAgain(records, { adapter, vault });
    },
  };
};

export type StoredKeys = ReturnType<typeof createStoredKeys>;
