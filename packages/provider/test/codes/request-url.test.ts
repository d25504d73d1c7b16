import { describe, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { postForm } from '../call.ts';
import { createClientKeys } from '../client-keys.ts';
import { redirectUri } from '../clients.ts';
import {
  askLogin,
  authorizationParams,
  authorizationUrl,
  authorizationUrlOf,
  authorize,
  begin,
  challengeIn,
  headless,
  logIn,
  pushedUrl,
  redeem,
} from '../login.ts';

const extra = { tenant: 'acme canary', screen_hint: 'signup', invitation: 'canary-of-an-invitation' };
const secrets = {
  client_secret: 'canary-secret',
  client_assertion: 'canary-assertion',
  client_assertion_type: 'canary-type',
  invitation_token: 'canary-token',
  password: 'canary-password',
};

const instance = startBeforeTests({ config: { features: { jar: { enabled: true } } } });
const client = registerBeforeTests(instance, 'web');
const keys = await createClientKeys();
const posting = registerBeforeTests(instance, 'posting', { token_endpoint_auth_method: 'client_secret_post' });
const signing = registerBeforeTests(instance, 'signing', { jwks: keys.jwks, request_object_signing_alg: 'ES256' });

const requestUrlOf = async (page: 'login' | 'consent', challenge: string): Promise<URLSearchParams> => {
  const { body } = await headless(instance, 'GET', `${page}?${page}_challenge=${challenge}`);
  return new URL(String(body.request_url)).searchParams;
};

const expectExtra = (params: URLSearchParams): void => {
  for (const [name, value] of Object.entries(extra)) expect(params.get(name), name).toBe(value);
  for (const name of Object.keys(secrets)) expect(params.has(name), name).toBe(false);
};

/** The login challenge of the request in each form in which a client can send it. */
const ways: Readonly<Record<string, () => Promise<string>>> = {
  'in the query': () => begin(createBrowser(), authorizationUrl(instance, client, { ...extra, ...secrets })),
  'in a form': async () => {
    const params = authorizationParams(client, { ...extra, ...secrets });
    return challengeIn(await createBrowser().post(`${instance.issuer}/oauth2/auth`, params), 'login');
  },
  'in a query that oidc-provider reads': () =>
    begin(createBrowser(), authorizationUrl(instance, client, { ...extra, ...secrets, max_age: '0060' })),
  'in a pushed request': async () => {
    const params = { ...extra, invitation_token: 'canary-token', client_secret: posting.secret };
    const pushed = await postForm(`${instance.issuer}/oauth2/par`, authorizationParams(posting, params));
    return begin(createBrowser(), pushedUrl(instance, posting, pushed, { tenant: 'other' }));
  },
  'in a signed request object': async () => {
    const params = authorizationParams(signing, { ...extra, ...secrets });
    const request = await keys.sign({ ...params, iss: signing.id, aud: instance.issuer });
    return begin(createBrowser(), authorizationUrlOf(instance, { client_id: signing.id, request, tenant: 'other' }));
  },
};

describe('request_url has the parameters that Carnet does not know, and no secrets', () => {
  it.each(Object.entries(ways))('request_url has them if they are sent %s', async (_name, send) => {
    const params = await requestUrlOf('login', await send());
    expectExtra(params);
    expect(params.has('iss')).toBe(false);
    expect(params.get('redirect_uri')).toBe(redirectUri);
  });

  it('in the consent request as well, where the mock login app of Ory reads it', async () => {
    const params_ = { ...extra, mockConsent: 'accept' };
    const params = await requestUrlOf('consent', await logIn(instance, client, { params: params_ }));
    expectExtra(params);
    expect(params.get('mockConsent')).toBe('accept');
  });

  it('request_url starts the same request again', async () => {
    const { request_url } = await askLogin(instance, client, { params: extra });
    expectExtra(await requestUrlOf('login', await begin(createBrowser(), String(request_url))));
  });
});

describe('unknown parameters', () => {
  it('reach neither the log, nor the client, nor the store, nor the list of consents', async () => {
    instance.calls.reset();
    const answer = await authorize(instance, client, {
      subject: 'listed',
      params: { ...extra, ...secrets },
      login: { remember: true },
      consent: { remember: true },
    });
    expect(answer.href).not.toContain('tenant');
    expect((await redeem(instance, client, answer)).status).toBe(200);
    const sessions = await (await fetch(`${instance.admin}/admin/oauth2/auth/sessions/consent?subject=listed`)).text();
    expect(sessions).not.toContain('canary');
    expect(JSON.stringify(instance.calls.commits)).not.toContain('canary');
    expect(instance.log()).not.toContain('canary');
  });

  it('of two kilobytes travel in the challenge, and more of them are stored by reference', async () => {
    const lengthOf = async (size: number) => {
      instance.calls.reset();
      const tenant = 'x'.repeat(size);
      const challenge = await begin(createBrowser(), authorizationUrl(instance, client, { tenant }));
      expect(instance.calls.commits).toHaveLength(size > 2_048 ? 1 : 0);
      expect((await requestUrlOf('login', challenge)).get('tenant')).toBe(tenant);
      return challenge.length;
    };
    expect(await lengthOf(2_000)).toBeLessThan(3_300);
    expect(await lengthOf(4_000)).toBeLessThan(300);
  });

  it('over eight kilobytes are left out, and the request continues', async () => {
    const large = { first: 'x'.repeat(4_000), second: 'x'.repeat(4_000), third: 'x'.repeat(4_000) };
    const form = authorizationParams(client, large);
    const response = await createBrowser().post(`${instance.issuer}/oauth2/auth`, form);
    const params = await requestUrlOf('login', challengeIn(response, 'login'));
    expect([...params.keys()].filter((name) => name in large)).toEqual(['first', 'second']);
  });

  it('unknown parameters with names of object members, such as `constructor`, are passed like others', async () => {
    const url = `${authorizationUrl(instance, client)}&__proto__=x&constructor=y&toString=z`;
    const params = await requestUrlOf('login', await begin(createBrowser(), url));
    expect(params.get('constructor')).toBe('y');
    expect(params.get('toString')).toBe('z');
  });
});
