import type { JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { postForm, refusal } from '../call.ts';
import { redirectUri } from '../clients.ts';
import { authorizeAt, codeChallenge, codeIn, pushedUrl } from '../login.ts';
import { authenticationOf, jwks, now as seconds, sign } from './fapi.ts';

const fapi = { features: { fapi: { enabled: true } }, ttl: { authCode: 60 } } as const;

const instance = startBeforeTests({ config: fapi });
const client = registerBeforeTests(instance, 'signing', {
  token_endpoint_auth_method: 'private_key_jwt',
  jwks,
  dpop_bound_access_tokens: true,
  require_signed_request_object: true,
});

const soon = () => seconds() + 300;
const now = () => seconds() - 1;

const push = async (params: Readonly<Record<string, string>>) => {
  const authentication = await authenticationOf(client.id, instance.issuer, { iat: now(), exp: soon() });
  return postForm(`${instance.issuer}/oauth2/par`, { ...authentication, ...params });
};

const parameters = {
  response_type: 'code',
  scope: 'openid profile',
  redirect_uri: redirectUri,
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
};

/** Pushes a request object that has the times that are given. */
const pushSigned = async (times: JWTPayload) => {
  const claims = { client_id: client.id, ...parameters, iss: client.id, aud: instance.issuer, ...times };
  return push({ request: await sign(claims) });
};

describe('FAPI 2.0 Message Signing', () => {
  it('5.3.1 a pushed request object with nbf and exp leads to a code', async () => {
    const pushed = await pushSigned({ nbf: now(), exp: soon() });
    expect(pushed.status).toBe(201);
    expect(codeIn(await authorizeAt(instance, pushedUrl(instance, client, pushed)))).not.toBe('');
  });

  it.each<[string, () => JWTPayload]>([
    ['no exp', () => ({ nbf: now() })],
    ['no nbf', () => ({ exp: soon() })],
    ['neither exp nor nbf', () => ({})],
    ['an exp more than 60 minutes after its nbf', () => ({ nbf: now() - 3_500, exp: soon() })],
    ['an nbf more than 60 minutes in the past', () => ({ nbf: now() - 3_700, exp: now() + 10 })],
    ['an aud that is another server', () => ({ nbf: now(), exp: soon(), aud: 'https://elsewhere.test' })],
  ])('5.3.1 a request object with %s is refused', async (_, times) => {
    expect(await pushSigned(times())).toMatchObject(refusal('invalid_request_object'));
  });

  it('5.3.1 a request that is not signed is refused', async () => {
    expect(await push(parameters)).toMatchObject(refusal('invalid_request'));
  });
});
