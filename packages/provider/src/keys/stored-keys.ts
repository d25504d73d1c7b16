import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import type { FoundRecord, StorageAdapter, StoredRecord } from '@carnet/adapter-contract';
import { ConfigError } from '../errors.ts';
import { recordId } from '../storage/record-id.ts';
import type { Jwk } from './jwk-schema.ts';
import { listKeyRecords } from './key-sets.ts';
import type { ScheduledKey } from './rotation-schedule.ts';
import { createLocalSigner, type Signer, type SigningAlgorithm } from './signer.ts';
import type { Vault } from './vault.ts';

/** What the records of signing keys say they belong to; the admin API keeps users' keys out of it. */
const signingSet = 'hydra.openid.id-token';

/** A signing key as it is stored, sealed. */
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
  /** Every key there is; of two with one kid, the older. Throws ConfigError when one does not open. */
  load(): Promise<readonly StoredKey[]>;
  /** Whether it was this call that made the generation: of any number of processes, one does. */
  claim(key: NewKey): Promise<boolean>;
  remove(keys: readonly Pick<StoredKey, 'recordId'>[]): Promise<void>;
  /** Seals with the first secret what the last `load` has found sealed with another, keys of other sets too. */
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
  /** Opened once, for as long as the record is the same: a private key takes longer to read than a page of the list. */
  let known: ReadonlyMap<string, StoredKey> = new Map();
  let outdated: readonly FoundRecord[] = [];

  const open = ({ id, payload }: FoundRecord): StoredKey => {
    const opened = vault.open(id, payload);
    if (opened === undefined) {
      throw new ConfigError([
        'secrets.system: a signing key in the store was sealed with a secret that is not here. Put that secret behind the new one.',
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
      // The one step that keeps two processes from signing with a successor each: the generation is claimed in the store.
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
        // A key that was removed meanwhile does not come back.
        const resealed = { ...toStored(record), payload: vault.seal(record.id, text) };
        if ((await adapter.commit([{ type: 'put', record: resealed, onlyIfPresent: true }])) === undefined) count += 1;
      }
      outdated = [];
      return count;
    },
  };
};
