import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { registerClient } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { token } from '../login.ts';
import { connect, signIn } from '../relying-party.ts';
import { createSigningService } from '../signing-service.ts';

const instances: Instance[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.stop();
});

const startWith = async (options: Parameters<typeof start>[0]): Promise<Instance> => {
  const instance = await start(options);
  instances.push(instance);
  return instance;
};

const keySetOf = async ({ issuer }: Instance) =>
  createLocalJWKSet((await (await fetch(`${issuer}/.well-known/jwks.json`)).json()) as JSONWebKeySet);

describe('keys of a service', () => {
  it.each(['ES256', 'RS256', 'EdDSA'] as const)('sign ID tokens and access tokens: %s', async (alg) => {
    const service = createSigningService({ algorithms: [alg] });
    const instance = await startWith({
      signers: [service.signer],
      config: { keys: { idTokenAlg: alg }, tokens: { accessTokenStrategy: 'jwt' } },
    });
    const client = await registerClient(instance, 'app', { id_token_signed_response_alg: alg });
    const metadata = { id_token_signed_response_alg: alg };
    // openid-client checks the signature of the ID token.
    const config = await connect(instance, client, undefined, metadata);
    const tokens = await signIn(instance, config);
    const keys = await keySetOf(instance);
    for (const jwt of [tokens.access_token, String(tokens.id_token)]) {
      expect((await jwtVerify(jwt, keys, { issuer: instance.issuer })).protectedHeader.alg).toBe(alg);
    }
    const { body } = await token(instance, client, { grant_type: 'client_credentials' });
    await jwtVerify(String(body.access_token), keys, { issuer: instance.issuer });
    // One at start, three tokens.
    expect(service.signatures).toBe(4);
    expect(decodeProtectedHeader(String(body.access_token)).kid).toBeDefined();
  });
});
