import { createSecretKey, generateKeyPair, type JsonWebKeyInput, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { CarnetError } from '../../errors.ts';
import type { SigningAlgorithm } from '../signing/signer.ts';
import { thumbprint } from '../signing/thumbprint.ts';
import type { Jwk } from './jwk-schema.ts';

/** Asynchronous, because generating an RSA key takes a tenth of a second or more. */
const generatePair = promisify(generateKeyPair) as unknown as (
  type: string,
  options: object,
) => Promise<{ readonly privateKey: KeyObject }>;

const pair =
  (type: string, options: object = {}) =>
  async (): Promise<JsonWebKeyInput['key']> =>
    (await generatePair(type, options)).privateKey.export({ format: 'jwk' });

const random = (bytes: number) => async (): Promise<JsonWebKeyInput['key']> =>
  createSecretKey(randomBytes(bytes)).export({ format: 'jwk' });

const rsa = pair('rsa', { modulusLength: 2048 });

/**
 * The parameters of generated keys by algorithm (RFC 7518, section 3.1; RFC 8037): the algorithms that Hydra generates.
 */
const generators: ReadonlyMap<string, () => Promise<JsonWebKeyInput['key']>> = new Map([
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'].map((alg) => [alg, rsa] as const),
  ['ES256', pair('ec', { namedCurve: 'P-256' })],
  ['ES384', pair('ec', { namedCurve: 'P-384' })],
  ['ES512', pair('ec', { namedCurve: 'P-521' })],
  ['EdDSA', pair('ed25519')],
  ['HS256', random(32)],
  ['HS384', random(48)],
  ['HS512', random(64)],
]);

export interface GenerateOptions {
  /** Default: the key's thumbprint (RFC 7638), or a random name for a symmetric key. */
  readonly kid?: string;
  readonly use?: 'sig' | 'enc';
}

/**
 * A new private or symmetric key.
 *
 * @throws CarnetError `invalid_request` for an unsupported algorithm
 */
export const generateJwk = async (alg: string, { kid, use = 'sig' }: GenerateOptions = {}): Promise<Jwk> => {
  const generate = generators.get(alg);
  if (generate === undefined) {
    const known = [...generators.keys()].join(', ');
    throw new CarnetError(
      'invalid_request',
      `Keys of this algorithm are not supported: "alg" must be one of ${known}.`,
    );
  }
  const jwk = await generate();
  const name = kid ?? (jwk.kty === 'oct' ? randomBytes(16).toString('base64url') : thumbprint(jwk));
  return { ...jwk, kid: name, alg, use } as Jwk;
};

export const generateSigningJwk = (alg: SigningAlgorithm, kid?: string): Promise<Jwk> => generateJwk(alg, { kid });
