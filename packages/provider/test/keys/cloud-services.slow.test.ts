import {
  type CloudKms,
  type IamCredentials,
  startCloudKms,
  startIamCredentials,
  startVault,
  type Vault,
} from '@carnet/test-servers';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startInTest } from '../before-tests.ts';
import { registerClient } from '../clients.ts';
import { type Instance, testSecret } from '../harness.ts';
import { credentialsFor } from '../login.ts';
import { connect, signIn } from '../relying-party.ts';

const ring = 'projects/p/locations/global/keyRings/r/cryptoKeys';
const email = 'carnet@p.iam.gserviceaccount.com';

let kms: CloudKms;
let iam: IamCredentials;
let vault: Vault;

beforeAll(async () => {
  [kms, iam, vault] = await Promise.all([startCloudKms(), startIamCredentials(), startVault()]);
  kms.addVersion(`${ring}/ec`, 'EC_SIGN_P256_SHA256');
  kms.addVersion(`${ring}/rsa`, 'RSA_SIGN_PKCS1_2048_SHA256');
  kms.addVersion(`${ring}/seal`, 'GOOGLE_SYMMETRIC_ENCRYPTION');
  iam.addAccount(email);
  vault.addKey('ec', 'ecdsa-p256');
  vault.addKey('rsa', 'rsa-2048');
  vault.addKey('ed', 'ed25519');
  vault.addKey('seal', 'aes256-gcm96');
  vi.stubEnv('VAULT_ADDR', vault.url);
  vi.stubEnv('VAULT_TOKEN', vault.token());
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([kms.close(), iam.close(), vault.close()]);
});

const startWith = (keys: object): Promise<Instance> =>
  startInTest({ config: { secrets: { system: [testSecret] }, keys, tokens: { accessTokenStrategy: 'jwt' } } });

/** A whole login by openid-client, and tokens of the client itself. Each is verified by jose. Returns the `kid` of each. */
const signInVerified = async (instance: Instance, alg: string): Promise<readonly string[]> => {
  const metadata = { id_token_signed_response_alg: alg };
  const client = await registerClient(instance, 'app', metadata);
  const tokens = await signIn(instance, await connect(instance, client, undefined, metadata));
  const { body } = await credentialsFor(instance, client);
  const jwts = [tokens.access_token, String(tokens.id_token), String(body.access_token)];
  const keys = createRemoteJWKSet(new URL(`${instance.issuer}/.well-known/jwks.json`));
  for (const jwt of jwts) await jwtVerify(jwt, keys, { issuer: instance.issuer, algorithms: [alg] });
  return jwts.map((jwt) => String(decodeProtectedHeader(jwt).kid));
};

describe('a login with the keys of', () => {
  it.each([
    ['Cloud KMS', 'ES256', () => `gcpkms:${ring}/ec?endpoint=${kms.url}`],
    ['Cloud KMS', 'RS256', () => `gcpkms:${ring}/rsa?endpoint=${kms.url}`],
    ['a service account', 'RS256', () => `gcpiam:${email}?endpoint=${iam.url}`],
    ['Vault', 'ES256', () => 'vault:transit/ec'],
    ['Vault', 'RS256', () => 'vault:transit/rsa'],
    ['Vault', 'EdDSA', () => 'vault:transit/ed'],
  ])('%s yields tokens that verify: %s', async (_title, alg, url) => {
    const instance = await startWith({ source: 'external', signer: url(), idTokenAlg: alg });
    expect(new Set(await signInVerified(instance, alg)).size).toBe(1);
  });

  it('a service account yields tokens that verify, also when Google signs with another key from now on', async () => {
    const signer = `gcpiam:${email}?endpoint=${iam.url}`;
    const instance = await startWith({ source: 'external', signer, idTokenAlg: 'RS256', pollSeconds: 1 });
    const next = iam.rotate(email);
    const client = await registerClient(instance, 'app', { id_token_signed_response_alg: 'RS256' });
    // The key is new to the process: until it has read it, the answer is 503, and the client tries again.
    const issued = await vi.waitFor(
      async () => {
        const { status, body } = await credentialsFor(instance, client);
        if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
        return String(body.access_token);
      },
      { timeout: 15_000, interval: 200 },
    );
    expect(decodeProtectedHeader(issued).kid).toBe(next);
    const keys = createRemoteJWKSet(new URL(`${instance.issuer}/.well-known/jwks.json`));
    await jwtVerify(issued, keys, { issuer: instance.issuer });
  });
});

it.each([
  ['Cloud KMS', () => `gcpkms:${ring}/seal?endpoint=${kms.url}`],
  ['Vault', () => 'vault:transit/seal'],
])('keys in the store that %s seals sign the tokens of a login', async (_title, url) => {
  const instance = await startWith({ source: 'store', sealedBy: url(), idTokenAlg: 'ES256', algorithms: ['ES256'] });
  await signInVerified(instance, 'ES256');
});
