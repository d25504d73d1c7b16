import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import type { FoundRecord, StorageAdapter, StoredRecord } from '@carnet/adapter-contract';
import { ConfigError } from '../errors.ts';
import { recordId } from '../storage/record-id.ts';
import type { Jwk } from './jwk-schema.ts';
import { listKeyRecords } from './key-sets.ts';
import type { ScheduledKey } from './rotation-schedule.ts';
import { createLocalSigner, type Signer, type SigningAlgorithm } from './signer.ts';
import type { Vault } from './vault.ts';

/** The set name in the records of signing keys. The admin API stores no other keys under it. */
const signingSet = 'hydra.openid.id-token';

/** A signing key as it is encrypted in the store. */
interface SealedKey extends ScheduledKey {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Private. */
  readonly jwk: Jwk;
}

export interface StoredKey extends Omit<SealedKey, 'jwk'> {
  readonly recordId: string;
  readonly signer: Signer;
}

export interface NewKey extends Pick<ScheduledKey, 'generation' | 'activeAt'> {
  readonly alg: SigningAlgorithm;
  readonly jwk: Jwk;
}

/** The signing keys in the store: one record for each generation of each algorithm. */
export interface StoredKeys {
  /** Loads every key. If two have the same kid, the older one. @throws ConfigError if a key cannot be decrypted */
  load(): Promise<readonly StoredKey[]>;
  /** Stores a new generation. Returns whether this call did: of several processes, exactly one succeeds. */
  claim(key: NewKey): Promise<boolean>;
  remove(keys: readonly Pick<StoredKey, 'recordId'>[]): Promise<void>;
  /**
   * Encrypts with the first secret the keys that the last `load` found encrypted with another, also keys of other sets.
   */
  sealAgain(): Promise<number>;
}

export interface StoredKeysDependencies {
  readonly adapter: Pick<StorageAdapter, 'commit' | 'list'>;
  readonly vault: Vault;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const generationId = (alg: SigningAlgorithm, generation: number): string =>
  recordId(JSON.stringify(['signing-key', alg, generation]));

const toStored = ({ consumedAt: _, members: __, ...record }: FoundRecord): StoredRecord => record;

export const createStoredKeys = ({ adapter, vault, now }: StoredKeysDependencies): StoredKeys => {
  /** Cached while the record is unchanged: importing a private key takes longer than reading a page of the list. */
  let known: ReadonlyMap<string, StoredKey> = new Map();
  let outdated: readonly FoundRecord[] = [];

  const open = ({ id, payload }: FoundRecord): StoredKey => {
    const opened = vault.open(id, payload);
    if (opened === undefined) {
      throw new ConfigError([
        'secrets.system: a signing key in the store was encrypted with a secret that is not configured. Append that secret to the list.',
      ]);
    }
    const { jwk, ...key } = JSON.parse(opened) as SealedKey;
    const privateKey = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return { ...key, recordId: id, signer: createLocalSigner({ privateKey, kid: key.kid }) };
  };

  return {
    async load() {
      const all = await listKeyRecords(adapter);
      outdated = all.filter(({ payload }) => !vault.isCurrent(payload));
      const records = all.filter(({ subject }) => subject === signingSet);
      const opened = new Map(records.map((record) => [record.payload, known.get(record.payload) ?? open(record)]));
      known = opened;
      const byAge = [...opened.values()].sort((a, b) => b.createdAt - a.createdAt);
      return [...new Map(byAge.map((key) => [key.kid, key])).values()];
    },
    async claim({ alg, generation, activeAt, jwk }) {
      const id = generationId(alg, generation);
      const sealed: SealedKey = { alg, generation, activeAt, kid: jwk.kid, createdAt: now(), jwk };
      const payload = vault.seal(id, JSON.stringify(sealed));
      const record: StoredRecord = { kind: 'key', id, payload, expiresAt: null, subject: signingSet };
      // This claim is the step that prevents two processes from creating a successor each.
      return (await adapter.commit([{ type: 'claim', record }])) === undefined;
    },
    async remove(keys) {
      if (keys.length === 0) return;
      await adapter.commit(keys.map(({ recordId: id }) => ({ type: 'remove', key: { kind: 'key', id } }) as const));
    },
    async sealAgain() {
      let count = 0;
      for (const record of outdated) {
        const text = vault.open(record.id, record.payload);
        if (text === undefined) continue;
        // `onlyIfPresent`: a key that was removed meanwhile is not restored.
        const resealed = { ...toStored(record), payload: vault.seal(record.id, text) };
        if ((await adapter.commit([{ type: 'put', record: resealed, onlyIfPresent: true }])) === undefined) count += 1;
      }
      outdated = [];
      return count;
    },
  };
};
