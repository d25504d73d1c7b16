import { decodeJwt } from 'jose';
import { afterEach, describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { postForm, refusal, userinfo } from '../call.ts';
import { createClientKeys } from '../client-keys.ts';
import { basicOf } from '../clients.ts';
import { secretsIn } from '../leaks.ts';
import {
  authorizationParams,
  authorizationUrl,
  authorizationUrlOf,
  begin,
  codeIn,
  credentialsFor,
  decideAll,
  errorAt,
  headless,
  introspect,
  type Json,
  redeem,
  refresh,
} from '../login.ts';

const photos = 'https://photos.test/api';
const mail = 'https://mail.test/';
const keys = await createClientKeys();
const { jwks } = keys;

describe('access tokens for resources (RFC 8707)', () => {
  const instance = startBeforeTests({
    config: {
      resources: [{ identifier: photos, scope: 'read write', accessTokenStrategy: 'jwt', accessTokenTtl: '5m' }],
    },
  });
  const client = registerBeforeTests(instance, 'app', {
    scope: 'openid offline_access read write mail',
    audience: [photos, mail, 'https://plain.test'],
    jwks,
  });

  afterEach(() => expect(secretsIn(instance.log())).toEqual([]));

  /** A login that asks for these resources, and is granted those. */
  const codeFor = async (resources: readonly string[], granted: readonly string[] = resources): Promise<string> => {
    const url = new URL(authorizationUrl(instance, client, { scope: 'openid offline_access read mail' }));
    for (const resource of resources) url.searchParams.append('resource', resource);
    const browser = createBrowser();
    const challenge = await begin(browser, url.href);
    const asked = (await headless(instance, 'GET', `login?login_challenge=${challenge}`)).body;
    expect(asked.requested_access_token_audience).toEqual(resources);
    expect(new URL(String(asked.request_url)).searchParams.getAll('resource')).toEqual(resources);
    const consent = { grant_scope: ['openid', 'offline_access', 'read', 'mail'], grant_access_token_audience: granted };
    return codeIn(locationOf(await browser.get(await decideAll(instance, browser, challenge, { consent }))));
  };
  const redeemFor = (code: string, resource: string) => redeem(instance, client, code, { resource });
  const refreshFor = (tokens: Json, params?: Readonly<Record<string, string>>) =>
    refresh(instance, client, tokens.refresh_token, params);
  test('are in the form, of the scope and as long as the resource is configured', async () => {
    const { body } = await redeemFor(await codeFor([photos, mail]), photos);
    expect([body.expires_in, body.scope]).toEqual([300, 'read']);
    expect(decodeJwt(String(body.access_token))).toMatchObject({ aud: [photos], scope: 'read', sub: 'alice' });
    expect(await introspect(instance, body.access_token)).toMatchObject({ active: true, aud: [photos], scope: 'read' });
    expect(body.id_token).toBeDefined();
    expect((await userinfo(instance, body.access_token)).status).not.toBe(200);
  });

  test('change from one granted resource to another at refresh, with less scope where asked', async () => {
    const first = (await redeemFor(await codeFor([photos, mail]), photos)).body;
    const second = (await refreshFor(first, { resource: mail })).body;
    expect(await introspect(instance, second.access_token)).toMatchObject({ aud: [mail], scope: 'read mail' });
    const third = (await refreshFor(second, { resource: mail, scope: 'mail' })).body;
    expect(third.scope).toBe('mail');
    expect((await refreshFor(third, { resource: 'https://plain.test' })).body.error).toBe('invalid_target');
  });

  test('are for the one that was granted, if none is named; else for the person', async () => {
    const one = (await redeem(instance, client, await codeFor([mail]))).body;
    expect((await introspect(instance, one.access_token)).aud).toEqual([mail]);
    const several = (await redeem(instance, client, await codeFor([photos, mail]))).body;
    expect((await introspect(instance, several.access_token)).aud).toEqual([]);
    expect((await userinfo(instance, several.access_token)).status).toBe(200);
  });

  test('are not to be had for what the consent app has not granted', async () => {
    const { body } = await redeemFor(await codeFor([photos, mail], [mail]), photos);
    expect(body.error).toBe('invalid_target');
  });

  test.each(['https://other.test', 'no-uri', `${mail}#part`])('are refused for %s, to the client', async (resource) => {
    const url = authorizationUrl(instance, client, { scope: 'openid read', resource });
    const end = locationOf(await createBrowser().get(url));
    expect([end.origin, end.searchParams.get('error')]).toEqual(['https://app.test', 'invalid_target']);
  });

  describe('that a request object names', () => {
    /** A request object (RFC 9101) with the parameters of the standard request. */
    const objectFor = (resource: unknown): Promise<string> => {
      const params = authorizationParams(client, { scope: 'openid read mail' });
      return keys.sign({ ...params, iss: client.id, aud: instance.issuer, resource });
    };
    const urlFor = (params: Readonly<Record<string, string>>): string =>
      authorizationUrlOf(instance, { client_id: client.id, ...params });
    const push = (request: string) => postForm(`${instance.issuer}/oauth2/par`, { request }, basicOf(client));
    const requestedIn = async (url: string) => {
      const challenge = await begin(createBrowser(), url);
      const { body } = await headless(instance, 'GET', `login?login_challenge=${challenge}`);
      return body.requested_access_token_audience;
    };

    test.each<[unknown, readonly string[]]>([
      [photos, [photos]],
      [
        [photos, mail],
        [photos, mail],
      ],
    ])('are requested, in a URL and pushed: %j', async (resource, expected) => {
      const request = await objectFor(resource);
      // A resource beside the object is ignored (RFC 9101, section 6.3).
      expect(await requestedIn(urlFor({ request, resource: 'https://plain.test' }))).toEqual(expected);
      const { body } = await push(request);
      expect(await requestedIn(urlFor({ request_uri: String(body.request_uri) }))).toEqual(expected);
    });

    test.each([['https://other.test'], [5], [{ a: 1 }], [[photos, 'https://other.test']]])(
      'are refused for %j, in a URL and pushed',
      async (resource) => {
        const request = await objectFor(resource);
        expect(await errorAt(urlFor({ request }))).toBe('invalid_target');
        expect(await push(request)).toMatchObject(refusal('invalid_target'));
      },
    );
  });

  test('are given to clients for themselves', async () => {
    const own = (resource: string, scope: string) => credentialsFor(instance, client, { resource, scope });
    const { body } = await own(photos, 'read mail');
    expect([body.expires_in, body.scope]).toEqual([300, 'read']);
    expect(await introspect(instance, body.access_token)).toMatchObject({ active: true, aud: [photos], sub: 'app' });
    expect((await own('https://other.test', 'read')).body.error).toBe('invalid_target');
  });
});
