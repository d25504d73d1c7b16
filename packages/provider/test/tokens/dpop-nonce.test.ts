import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as oidc from 'openid-client';
import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { postForm, refusal } from '../call.ts';
import { basicOf, registerClient } from '../clients.ts';
import type { Instance } from '../harness.ts';
import { authorizeAt, type Json } from '../login.ts';
import { connect, prepare } from '../relying-party.ts';
import { dpopProof } from '../signed-requests.ts';

const instance = startBeforeTests({ config: { features: { dpop: { requireNonce: true } } } });
const client = registerBeforeTests(instance, 'app', {
  dpop_bound_access_tokens: true,
  allowed_cors_origins: ['https://app.test'],
});

const form = { grant_type: 'client_credentials', scope: 'profile' };
const ask = (proof: string, more: Readonly<Record<string, string>> = {}) =>
  postForm(`${instance.issuer}/oauth2/token`, form, { ...basicOf(client), dpop: proof, ...more });

describe('nonces of DPoP proofs (RFC 9449, section 8)', () => {
  it('a proof without one is answered with one', async () => {
    const answer = await ask(await dpopProof(`${instance.issuer}/oauth2/token`));
    expect(answer).toMatchObject(refusal('use_dpop_nonce'));
    expect(answer.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/);
  });

  it('web pages may read it', async () => {
    const proof = await dpopProof(`${instance.issuer}/oauth2/token`);
    const { headers } = await ask(proof, { origin: 'https://app.test' });
    expect(headers.get('access-control-expose-headers')).toContain('DPoP-Nonce');
  });

  it('openid-client goes through a whole login with them', async () => {
    const config = await connect(instance, client);
    const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair('ES256'));
    const { url, checks } = await prepare(config);
    const pushed = await oidc.buildAuthorizationUrlWithPAR(config, new URL(url).searchParams, { DPoP });
    const end = await authorizeAt(instance, pushed.href);
    const tokens = await oidc.authorizationCodeGrant(config, end, checks, {}, { DPoP });
    expect(await oidc.fetchUserInfo(config, tokens.access_token, 'alice', { DPoP })).toMatchObject({ sub: 'alice' });
  });

  it('another process with the same secrets knows them, and one with other secrets does not', async () => {
    const nonce = (await ask(await dpopProof(`${instance.issuer}/oauth2/token`))).headers.get('dpop-nonce') ?? '';
    const at = async (to: Instance): Promise<Json> => {
      const machine = await registerClient(to, 'machine', { dpop_bound_access_tokens: true });
      const htu = `${to.issuer}/oauth2/token`;
      const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
      const proof = await new SignJWT({ htm: 'POST', htu, nonce })
        .setJti(crypto.randomUUID())
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
        .setIssuedAt()
        .sign(privateKey);
      return (await postForm(htu, form, { ...basicOf(machine), dpop: proof })).body;
    };
    expect(await at(instance)).toMatchObject({ token_type: 'DPoP' });
    const stranger = await startInTest({
      config: { features: { dpop: { requireNonce: true } }, secrets: { system: ['another secret, also long enough'] } },
    });
    expect(await at(stranger)).toMatchObject({ error: 'use_dpop_nonce' });
  });
});
