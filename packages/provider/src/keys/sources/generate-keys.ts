import { generateKeyPairSync, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import { thumbprint } from '@carnet/signer-contract/jws';
import type { SigningAlgorithm } from '../signing/signer.ts';

/** A private key set, as in `KEYS_FILE`. */
export interface PrivateJwks {
  readonly keys: readonly (JsonWebKeyInput['key'] & { readonly kid: string; readonly alg: SigningAlgorithm })[];
}

const generators: Record<SigningAlgorithm, () => { privateKey: KeyObject }> = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
};

/** A new private key for each algorithm. Blocks for about a tenth of a second (RSA): for start and the command line. */
export const generateKeys = (algorithms: readonly SigningAlgorithm[] = ['RS256', 'ES256', 'EdDSA']): PrivateJwks => ({
  keys: algorithms.map((alg) => {
    const jwk = generators[alg]().privateKey.export({ format: 'jwk' });
    return { kid: thumbprint(jwk), alg, use: 'sig', ...jwk };
  }),
});
