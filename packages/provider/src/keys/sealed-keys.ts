import { createPrivateKey, type JsonWebKeyInput } from 'node:crypto';
import type { FoundRecord, StoredRecord } from '@carnet/adapter-contract';
import { ConfigError } from '../errors.ts';
import type { Jwk } from './jwk-schema.ts';
import type { RemoteReference } from './remote/list-keys.ts';
import { type RemotePublicKey, withoutService } from './remote/remote-signer.ts';
import type { ScheduledKey } from './rotation-schedule.ts';
import { createLocalSigner, type Signer } from './signer.ts';
import type { Vault } from './vault.ts';

/** The set name in the records of signing keys. The admin API stores no other keys under it. */
export const signingSet = 'hydra.openid.id-token';

/** A signing key as it is encrypted in the store. */
export interface SealedKey extends ScheduledKey {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Private; of a key in a service, public. */
  readonly jwk: Jwk;
  /** The key version in a service, which has the private part. */
  readonly remote?: RemoteReference;
}

export interface SealedKeysDependencies {
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  /** The signer of a key in a service. Default: it verifies, and does not sign. */
  readonly toSigner?: (key: RemotePublicKey) => Signer;
}

/** The records of signing keys. */
export const createSealedKeys = ({ vault, toSigner = withoutService }: SealedKeysDependencies) => ({
  /** @throws ConfigError if the key cannot be decrypted */
  open({ id, payload }: Pick<FoundRecord, 'id' | 'payload'>): SealedKey {
    const opened = vault.open(id, payload);
    if (opened !== undefined) return JSON.parse(opened) as SealedKey;
    throw new ConfigError([
      'secrets.system: a signing key in the store was encrypted with a secret that is not configured. Append that secret to the list. If a key of a service encrypts the keys, set keys.sealedBy (KEYS_SEALED_BY) to it.',
    ]);
  },
  signerOf({ jwk, kid, alg, remote }: SealedKey): Signer {
    if (remote) return toSigner({ kid, alg, remote, publicJwk: jwk as JsonWebKeyInput['key'] });
    return createLocalSigner({
      privateKey: createPrivateKey({ key: jwk as JsonWebKeyInput['key'], format: 'jwk' }),
      kid,
    });
  },
  record(id: string, key: SealedKey): StoredRecord {
    const payload = vault.seal(id, JSON.stringify(key));
    return { kind: 'key', id, payload, expiresAt: null, subject: signingSet };
  },
});
