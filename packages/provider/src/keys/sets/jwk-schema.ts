import { createPrivateKey, createPublicKey, type JsonWebKeyInput } from 'node:crypto';
import { z } from 'zod';
import { CarnetError } from '../../errors.ts';

const member = z.string().max(16_384);
const isPrintable = (text: string): boolean => /^[\u0020-\u007e\u00a0-\ud7ff\ue000-\uffff]+$/.test(text);

export const kidSchema = member.min(1).max(255).refine(isPrintable, 'must be printable characters');

/** The members that Hydra's SDKs accept. Other members of a key are dropped, because the SDKs reject them. */
export const jwkSchema = z.object({
  kid: kidSchema,
  kty: z.enum(['RSA', 'EC', 'OKP', 'oct']),
  alg: member.min(1).max(64).optional(),
  use: z.enum(['sig', 'enc']).optional(),
  crv: member.optional(),
  x: member.optional(),
  y: member.optional(),
  n: member.optional(),
  e: member.optional(),
  d: member.optional(),
  p: member.optional(),
  q: member.optional(),
  dp: member.optional(),
  dq: member.optional(),
  qi: member.optional(),
  k: member.optional(),
  x5c: z.array(member).max(16).optional(),
});

/** A key as it is stored. */
export const storedJwk = jwkSchema.required({ alg: true, use: true });

/** A JSON Web Key (RFC 7517) of a key set, public or private. */
export type Jwk = Readonly<z.output<typeof storedJwk>>;

/** The algorithm of a key without `alg`. */
const usualAlgorithms: ReadonlyMap<string, string> = new Map([
  ['RSA', 'RS256'],
  ['P-256', 'ES256'],
  ['P-384', 'ES384'],
  ['P-521', 'ES512'],
  ['Ed25519', 'EdDSA'],
  ['X25519', 'ECDH-ES'],
  ['oct', 'HS256'],
]);

const assertIsKey = (jwk: z.output<typeof jwkSchema>): void => {
  try {
    if (jwk.kty === 'oct') {
      if (!jwk.k) throw new Error('no key');
    } else if (jwk.d === undefined) createPublicKey({ key: jwk as JsonWebKeyInput['key'], format: 'jwk' });
    else createPrivateKey({ key: jwk as JsonWebKeyInput['key'], format: 'jwk' });
  } catch {
    // The cause is dropped deliberately: the message of a JWK parser may quote the key.
    throw new CarnetError('invalid_request', 'The members of the key are not those of a valid JSON Web Key.');
  }
};

/** SDKs send members that are not set as `null` or `""`. */
const withoutEmpty = (sent: object): object =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null && value !== ''));

/**
 * Parses a key of a request. `kid` is used if the key has none.
 *
 * @throws CarnetError `invalid_request`, which does not quote the key
 */
export const parseJwk = (sent: unknown, kid?: string): Jwk => {
  const given = typeof sent === 'object' && sent !== null ? { kid, ...withoutEmpty(sent) } : sent;
  const result = jwkSchema.safeParse(given);
  if (!result.success) {
    const names = result.error.issues.map(({ path, message }) => `${path.join('.') || 'the key'}: ${message}`);
    throw new CarnetError('invalid_request', `The key is not a JSON Web Key: ${names.join('; ')}.`);
  }
  const jwk = result.data;
  assertIsKey(jwk);
  const alg = jwk.alg ?? usualAlgorithms.get(jwk.kty) ?? usualAlgorithms.get(jwk.crv ?? '');
  if (alg === undefined) throw new CarnetError('invalid_request', 'The key names no algorithm: send "alg".');
  return { ...jwk, alg, use: jwk.use ?? 'sig' };
};
