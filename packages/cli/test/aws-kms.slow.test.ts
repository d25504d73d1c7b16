import { CreateAliasCommand, CreateKeyCommand, type KeySpec, KMSClient } from '@aws-sdk/client-kms';
import { startMoto } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveSigned, signInWith, verifiesWithJose } from './signed-login.ts';
import { main, startProgram, temporaryFolder } from './start-program.ts';

const region = 'eu-west-1';

/** The SDK finds these in the environment, as every program of AWS does. */
const awsEnv = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'hunter2-hunter2' };
const [accessKeyId, secretAccessKey] = Object.values(awsEnv) as [string, string];

const moto = beforeTests(() => startMoto());
let kms: KMSClient;
beforeAll(async () => {
  kms = new KMSClient({ region, endpoint: moto.url, credentials: { accessKeyId, secretAccessKey } });
});
afterAll(async () => {
  kms.destroy();
});

/** Creates a key with an alias. Returns its URL. */
const createKey = async (alias: string, spec: KeySpec): Promise<string> => {
  const usage = spec === 'SYMMETRIC_DEFAULT' ? 'ENCRYPT_DECRYPT' : 'SIGN_VERIFY';
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({ KeySpec: spec, KeyUsage: usage }));
  await kms.send(new CreateAliasCommand({ AliasName: `alias/${alias}`, TargetKeyId: KeyMetadata?.KeyId }));
  return `awskms:alias/${alias}?region=${region}&endpoint=${moto.url}`;
};

const serve = (env: Record<string, string>, folder?: string) => serveSigned({ ...awsEnv, ...env }, folder);

describe('carnet serve with keys of AWS KMS', { timeout: 90_000 }, () => {
  it.each([
    ['ES256', 'ECC_NIST_P256'],
    ['RS256', 'RSA_2048'],
  ] as const)('signs the tokens of a login with %s', async (alg, spec) => {
    const signer = await createKey(`carnet-${alg}`, spec);
    const served = await serve({ KEYS_SOURCE: 'external', SIGNER: signer, ID_TOKEN_ALG: alg });
    const tokens = await signInWith(served, alg);
    expect(tokens.claims()?.sub).toBe('alice');
    for (const jwt of [tokens.id_token, tokens.access_token]) await verifiesWithJose(served, jwt, alg);
    expect(served.lines.join('\n')).not.toContain(secretAccessKey);
  });

  it('seals its own keys, and opens them at the next start', async () => {
    const sealedBy = await createKey('carnet-seal', 'SYMMETRIC_DEFAULT');
    const env = { KEYS_SOURCE: 'store', KEYS_SEALED_BY: sealedBy, ID_TOKEN_ALG: 'ES256' };
    const folder = temporaryFolder();
    const first = await serve(env, folder);
    const before = await signInWith(first, 'ES256');
    first.child.kill('SIGTERM');
    expect(await first.exited).toEqual([0, null]);

    const second = await serve(env, folder);
    // The tokens of the first process verify with the keys of the second one.
    const { issuer } = first;
    for (const jwt of [before.id_token, before.access_token]) {
      await jwtVerify(`${jwt}`, createRemoteJWKSet(new URL(`${second.issuer}/.well-known/jwks.json`)), { issuer });
    }
  });

  it('ends with 78 and says what to do if the key is missing', async () => {
    const signer = `awskms:alias/missing?region=${region}&endpoint=${moto.url}`;
    const { exited, lines } = startProgram(main, ['serve', '--dev'], {
      ...{ ...awsEnv, PORT: '0', ADMIN_PORT: '0' },
      ...{ KEYS_SOURCE: 'external', SIGNER: signer, ID_TOKEN_ALG: 'ES256' },
    });
    expect(await exited).toEqual([78, null]);
    expect(lines.join('\n')).toMatch(/keys\.signer: .*alias\/missing.* No such key or alias/);
  });
});
