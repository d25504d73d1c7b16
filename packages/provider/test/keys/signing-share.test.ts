import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { redirectUri } from '../clients.ts';
import { credentialsFor } from '../login.ts';
import { createSigningService } from '../signing-service.ts';

const service = createSigningService();
const instance = startBeforeTests({
  signers: [service.signer],
  config: {
    keys: { idTokenAlg: 'ES256', signerTimeoutMs: 20_000, signerConcurrency: 4 },
    tokens: { accessTokenStrategy: 'jwt' },
  },
});
const app = registerBeforeTests(instance, 'app');

/** An authorization request that any browser may send; its error response is signed (JARM). */
const signedError = (): Promise<Response> =>
  fetch(
    `${instance.issuer}/oauth2/auth?${new URLSearchParams({
      client_id: app.id,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid',
      prompt: 'none',
      state: 'the-state-of-the-app',
      response_mode: 'query.jwt',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })}`,
    { redirect: 'manual' },
  );

describe('a flood of authorization requests whose error responses are signed', () => {
  it('delays token requests only as long as a part of the signatures', async () => {
    const first = await signedError();
    expect(new URL(first.headers.get('location') ?? '').searchParams.get('response')).toMatch(/^eyJ/);
    service.latencyMs = 300;
    const flood = Array.from({ length: 100 }, async () => (await signedError()).status);
    // The first refusal shows that the share of the browsers is used up.
    await expect
      .poll(() => Promise.any(flood.map(async (each) => (await each) === 503 || Promise.reject())))
      .toBe(true);
    const honest = Array.from({ length: 12 }, () => credentialsFor(instance, app));
    expect((await Promise.all(honest)).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
    expect(new Set(await Promise.all(flood))).toEqual(new Set([303, 503]));
  });
});
