import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { parse } from 'yaml';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { adminClients } from '../call.ts';
import { redirectUri } from '../clients.ts';
import { consentPage, type Instance, loginPage, testKeys, testSecret } from '../harness.ts';

export const settingsOf = (example: 'fapi1' | 'fapi2'): ConfigInput =>
  parse(readFileSync(new URL(`../../../../examples/${example}/carnet.yaml`, import.meta.url), 'utf8')) as ConfigInput;

/** The settings of an example, with what every provider needs. */
export const configOf = (settings: ConfigInput, { features, ...more }: ConfigInput = {}): ConfigInput => ({
  dev: true,
  issuer: 'http://127.0.0.1:4444',
  secrets: { system: [testSecret] },
  storage: { default: 'memory:' },
  urls: { login: loginPage, consent: consentPage },
  ...settings,
  features: { ...settings.features, ...features },
  ...more,
  keys: { ...settings.keys, jwks: testKeys as never, ...more.keys },
});

export const ecKeys = await generateKeyPair('ES256', { extractable: true });
/** As node:crypto has it: good for RS256 and PS256. */
const rsaKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const jwks = {
  keys: [
    { ...(await exportJWK(ecKeys.publicKey)), kid: 'es', use: 'sig' },
    { ...rsaKeys.publicKey.export({ format: 'jwk' }), kid: 'rs', use: 'sig' },
  ],
};

export const now = (): number => Math.floor(Date.now() / 1000);

export interface Signing {
  readonly alg?: 'ES256' | 'PS256' | 'RS256';
  readonly key?: Parameters<SignJWT['sign']>[0];
}

export const sign = (claims: JWTPayload, { alg = 'ES256', key }: Signing = {}): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg, kid: alg === 'ES256' ? 'es' : 'rs' })
    .sign(key ?? (alg === 'ES256' ? ecKeys.privateKey : rsaKeys.privateKey));

/** The parameters by which a client authenticates (RFC 7523). */
export const authenticationOf = async (id: string, audience: string, claims: JWTPayload = {}, signing?: Signing) => ({
  client_id: id,
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: await sign(
    { iss: id, sub: id, aud: audience, jti: crypto.randomUUID(), iat: now(), exp: now() + 120, ...claims },
    signing,
  ),
});

/** The answer of the admin API to a client that differs from a suitable one. */
export const registering = async (instance: Instance, suitable: object, changes: object) => {
  const metadata = { redirect_uris: [redirectUri], ...suitable, ...changes };
  const { status, body } = await adminClients(instance, 'POST', '', metadata);
  return { status, text: JSON.stringify(body) };
};
