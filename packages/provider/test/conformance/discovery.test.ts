import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../call.ts';
import { call, discovery } from '../call.ts';
import { answeringBeforeTests, startAnswering } from './answers.ts';

const wellKnown = '/.well-known/openid-configuration';

describe('OpenID Connect Discovery 1.0', () => {
  const { instance } = answeringBeforeTests();
  let document: Json;

  beforeAll(async () => {
    document = await discovery(instance);
  });

  test('4.1, 4.2 the document is JSON, at the well-known path of the issuer', async () => {
    const { status, headers } = await call(instance.issuer + wellKnown);
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
  });

  test('4.1 an issuer with a path has it there, and where RFC 8414, 3.1 looks', async () => {
    const { instance: deep } = await startAnswering({ path: '/op' });
    const { origin } = new URL(deep.issuer);
    for (const url of [
      `${deep.issuer}${wellKnown}`,
      `${origin}${wellKnown}/op`,
      `${origin}/.well-known/oauth-authorization-server/op`,
    ]) {
      expect((await call(url)).body.issuer).toBe(deep.issuer);
    }
  });

  test('4.3 issuer is the URL that was asked, character for character', () => {
    expect(document.issuer).toBe(instance.issuer);
  });

  test.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint', 'claims_supported'])(
    '3 %s is there',
    (name) => {
      expect(document[name]).toBeTruthy();
    },
  );

  test('3 says of lists what is true: types, modes, grants, RS256, openid', () => {
    expect(document).toMatchObject({
      response_types_supported: expect.arrayContaining(['code', 'id_token', 'id_token token']),
      response_modes_supported: expect.arrayContaining(['query', 'fragment', 'form_post']),
      grant_types_supported: expect.arrayContaining(['authorization_code', 'implicit', 'refresh_token']),
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
      scopes_supported: expect.arrayContaining(['openid']),
      subject_types_supported: ['public'],
      claims_parameter_supported: true,
      request_uri_parameter_supported: false,
      token_endpoint_auth_methods_supported: expect.arrayContaining(['client_secret_basic', 'private_key_jwt']),
    });
  });

  test('3 token_endpoint_auth_signing_alg_values_supported has no none; RS256 is there', () => {
    const algorithms = document.token_endpoint_auth_signing_alg_values_supported;
    expect(algorithms).toContain('RS256');
    expect(algorithms).not.toContain('none');
    expect(document.id_token_signing_alg_values_supported).not.toContain('none');
  });

  test('prompt_values_supported names only prompts that the Nimbus SDK of Spring Security knows', () => {
    // `Prompt.Type.values()` of com.nimbusds:oauth2-oidc-sdk 11.30: its parser refuses the document for any other.
    const known = ['none', 'login', 'consent', 'select_account', 'create'];
    expect(new Set(document.prompt_values_supported as string[])).toEqual(new Set(known));
  });

  test('3 what is empty is left out', () => {
    for (const value of Object.values(document)) expect(value).not.toEqual([]);
  });

  test('3 every endpoint is below the issuer, and answers', async () => {
    const endpoints = Object.entries(document).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name));
    expect(endpoints.length).toBeGreaterThan(5);
    for (const [name, url] of endpoints) {
      expect(String(url).startsWith(`${instance.issuer}/`)).toBe(true);
      expect([name, (await fetch(String(url), { redirect: 'manual' })).status]).not.toEqual([name, 404]);
    }
  });

  test('3, Core 10.1 jwks_uri has the public keys, each with a kid of its own and what it is for', async () => {
    const { keys } = (await call(String(document.jwks_uri))).body as { keys: Record<string, string>[] };
    expect(keys.map(({ alg }) => alg).toSorted()).toEqual(['ES256', 'EdDSA', 'RS256']);
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
    for (const alg of document.id_token_signing_alg_values_supported as string[]) {
      expect(keys.some((key) => key.alg === alg || (alg === 'EdDSA' && key.crv === 'Ed25519'))).toBe(true);
    }
    for (const key of keys) {
      expect(key.use).toBe('sig');
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(member);
    }
  });
});
