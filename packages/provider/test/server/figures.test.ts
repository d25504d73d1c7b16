import { randomBytes, randomUUID } from 'node:crypto';
import { keyOfWrite, type Write } from '@carnet/adapter-contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { registerClient, type TestClient } from '../clients.ts';
import {
  authorizationUrl,
  authorize,
  begin,
  credentialsFor,
  introspect,
  logIn,
  login,
  redeem,
  refresh,
} from '../login.ts';

const typeAndKind = (write: Write): string => `${write.type} ${keyOfWrite(write)?.kind}`;

/** What a login costs, counted at the store and in bytes. */
describe('figures', () => {
  const instance = startBeforeTests();
  const client = registerBeforeTests(instance, 'confidential');

  beforeEach(() => instance.calls.reset());

  test('a first login is heard of once, with four rows, when its code is redeemed', async () => {
    const end = await authorize(instance, client);
    expect(instance.calls.trips()).toBe(0);
    const { status } = await redeem(instance, client, end);
    expect(status).toBe(200);
    expect(instance.calls.trips()).toBe(1);
    expect(instance.calls.commits[0]?.map((write) => write.type)).toEqual(['claim', 'put', 'put', 'put']);
  });

  test('an abandoned login is never heard of', async () => {
    await logIn(instance, client, { subject: 'bob' });
    expect(instance.calls.trips()).toBe(0);
  });

  test('a remembered login costs a commit when the user has signed in, and two reads when the user returns', async () => {
    const browser = createBrowser();
    const remember = { remember: true };
    const end = await authorize(instance, client, { browser, login: remember });
    expect(instance.calls.commits.map((writes) => writes.map(typeAndKind))).toEqual([['claim session']]);
    expect(instance.calls.trips()).toBe(1);
    await redeem(instance, client, end);
    const redemption = [
      'merge session',
      'claim authorization_code',
      'put access_token',
      'put refresh_token',
      'put grant',
    ];
    expect(instance.calls.commits[1]?.map(typeAndKind)).toEqual(redemption);
    instance.calls.reset();
    const again = await authorize(instance, client, { browser });
    expect([instance.calls.trips(), instance.calls.commits]).toEqual([2, []]);
    expect((await redeem(instance, client, again)).status).toBe(200);
    expect(instance.calls.trips()).toBe(3);
  });

  test('a remembered consent costs a commit of three rows, before the browser returns to the client', async () => {
    await authorize(instance, client, { consent: { remember: true } });
    const writes = ['claim replay', 'put consent', 'put consent'];
    expect(instance.calls.commits.map((all) => all.map(typeAndKind))).toEqual([writes]);
    expect(instance.calls.trips()).toBe(1);
  });

  test('a refresh costs two round trips', async () => {
    const { refresh_token } = await login(instance, client);
    instance.calls.reset();
    expect((await refresh(instance, client, refresh_token)).status).toBe(200);
    expect(instance.calls.trips()).toBe(2);
  });

  test('client_credentials costs one round trip for an opaque token and none for a JWT', async () => {
    const jwtClient = await registerClient(instance, 'jwt-client', { access_token_strategy: 'jwt' });
    await credentialsFor(instance, jwtClient, { scope: 'profile' });
    instance.calls.reset();
    await credentialsFor(instance, client, { scope: 'profile' });
    expect(instance.calls.trips()).toBe(1);
    instance.calls.reset();
    const { status } = await credentialsFor(instance, jwtClient, { scope: 'profile' });
    expect([status, instance.calls.trips()]).toEqual([200, 0]);
  });

  test('an introspection costs one round trip, and none for the JWT of a client that acts for itself', async () => {
    const { access_token: opaque, refresh_token: refreshToken } = await login(instance, client);
    for (const value of [opaque, refreshToken]) {
      instance.calls.reset();
      expect(await introspect(instance, String(value))).toMatchObject({ active: true });
      expect(instance.calls.trips()).toBe(1);
    }
    const own = await registerClient(instance, 'own-jwt', { access_token_strategy: 'jwt' });
    const { body } = await credentialsFor(instance, own, { scope: 'profile' });
    instance.calls.reset();
    expect(await introspect(instance, String(body.access_token))).toMatchObject({ active: true });
    expect(instance.calls.trips()).toBe(0);
  });

  test('the challenge of a standard request has at most 512 bytes', async () => {
    const challenge = await begin(createBrowser(), authorizationUrl(instance, client));
    expect(challenge.length).toBeLessThanOrEqual(512);
  });

  test('the challenge of a request with offline_access, prompt=consent and long names has at most 512 bytes', async () => {
    const receiver = `https://app.example.com/${'a'.repeat(86)}`;
    const long = await registerClient(instance, randomUUID(), { redirect_uris: [receiver] });
    const hex = () => randomBytes(16).toString('hex');
    const params = { scope: 'openid offline_access profile email', prompt: 'consent', redirect_uri: receiver };
    const url = authorizationUrl(instance, long, { ...params, state: hex(), nonce: hex() });
    const challenge = await begin(createBrowser(), url);
    expect(challenge.length).toBeLessThanOrEqual(512);
  });

  test('no cookie is left when the flow has ended', async () => {
    const browser = createBrowser();
    await login(instance, client, { browser });
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  test('with 1,000 hot clients no request reads, parses or instantiates one again', async () => {
    const clients: TestClient[] = [];
    for (let i = 0; i < 1_000; i++) {
      clients.push(await registerClient(instance, `public-${i}`, { token_endpoint_auth_method: 'none' }));
    }
    const before = instance.carnet.stats();
    for (const hot of clients) await fetch(authorizationUrl(instance, hot), { redirect: 'manual' });
    expect(instance.carnet.stats()).toEqual(before);
  });
});
