import { createHash } from 'node:crypto';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { adminClients, userinfo } from '../call.ts';
import { redirectUri, registerClient } from '../clients.ts';
import {
  acceptLogin,
  askLogin,
  authorizationUrl,
  begin,
  codeFor,
  errorAt,
  introspect,
  type Json,
  login,
  refresh,
} from '../login.ts';
import { json, openRemote, type Remote } from '../remote.ts';
import { signOut } from '../sign-out.ts';

const salt = 'a salt of the tests';
/** OpenID Connect Core 1.0, section 8.1, as Hydra has it. */
const pairwise = (sector: string, subject: string): string =>
  createHash('sha256').update(`${sector}${subject}${salt}`).digest('hex');
const alice = pairwise('app.test', 'alice');

const remote = beforeTests(() => openRemote());
const instance = startBeforeTests({
  config: {
    oidc: { subjectIdentifiers: { supportedTypes: ['public', 'pairwise'], pairwise: { salt } } },
    urls: {
      login: 'http://login.test/login',
      consent: 'http://login.test/consent',
      logout: 'http://login.test/logout',
    },
  },
});
const shop = registerBeforeTests(instance, 'shop', {
  subject_type: 'pairwise',
  post_logout_redirect_uris: ['https://app.test/bye'],
});

const subOf = (idToken: unknown): unknown => decodeJwt(String(idToken)).sub;
const infoOf = async (accessToken: unknown) => (await userinfo(instance, accessToken)).body;

const register = (metadata: Json) => adminClients(instance, 'POST', '', metadata);

describe('a pairwise client', () => {
  test('sees the same pseudonym in the ID token, at userinfo, and after a refresh', async () => {
    const tokens = await login(instance, shop);
    expect(subOf(tokens.id_token)).toBe(alice);
    expect(await infoOf(tokens.access_token)).toMatchObject({ sub: alice });
    const { body } = await refresh(instance, shop, tokens.refresh_token);
    expect(subOf(body.id_token)).toBe(alice);
    expect(await infoOf(body.access_token)).toMatchObject({ sub: alice });
  });

  test('shares it with the clients of its sector, and with no others', async () => {
    const metadata = { subject_type: 'pairwise', redirect_uris: [redirectUri, 'https://app.test/other'] };
    const sibling = await registerClient(instance, 'sibling', metadata);
    expect(subOf((await login(instance, sibling)).id_token)).toBe(alice);
    const stranger = await registerClient(instance, 'stranger', {
      subject_type: 'pairwise',
      sector_identifier_uri: 'https://other.test/sector',
    });
    expect(subOf((await login(instance, stranger)).id_token)).toBe(pairwise('other.test', 'alice'));
    const open = await registerClient(instance, 'open');
    expect(subOf((await login(instance, open)).id_token)).toBe('alice');
  });

  test.each(['opaque', 'jwt'])(
    'introspection of %s tokens recognises a pairwise client by both subjects',
    async (form) => {
      const client = await registerClient(instance, `shop-${form}`, {
        subject_type: 'pairwise',
        access_token_strategy: form,
      });
      const tokens = await login(instance, client);
      for (const value of [tokens.access_token, tokens.refresh_token]) {
        expect(await introspect(instance, value)).toMatchObject({
          active: true,
          sub: 'alice',
          obfuscated_subject: alice,
        });
      }
      expect(await infoOf(tokens.access_token)).toMatchObject({ sub: alice });
      if (form === 'jwt') expect(subOf(tokens.access_token)).toBe(alice);
      const { body } = await refresh(instance, client, tokens.refresh_token);
      expect(await introspect(instance, body.access_token)).toMatchObject({ sub: 'alice', obfuscated_subject: alice });
    },
  );

  test('may come back with its ID token as a hint', async () => {
    const browser = createBrowser();
    const { id_token: idToken } = await login(instance, shop, { browser, login: { remember: true } });
    const params = { id_token_hint: String(idToken) };
    expect(await codeFor(instance, shop, { browser, params })).not.toBe('');
    const other = createBrowser();
    const challenge = await begin(other, authorizationUrl(instance, shop, params));
    const refused = await other.get(await acceptLogin(instance, challenge, { subject: 'bob' }));
    expect(locationOf(refused).searchParams.get('error')).toBe('login_required');
  });

  test('logs out with its ID token', async () => {
    const browser = createBrowser();
    const { id_token } = await login(instance, shop, { browser, login: { remember: true } });
    const post_logout_redirect_uri = 'https://app.test/bye';
    const end = await signOut(instance, browser, { id_token_hint: String(id_token), post_logout_redirect_uri });
    expect(locationOf(end).href).toBe(post_logout_redirect_uri);
    expect(await errorAt(authorizationUrl(instance, shop, { prompt: 'none' }), browser)).toBe('login_required');
  });
});

describe('force_subject_identifier', () => {
  const forced = { login: { force_subject_identifier: 'member-7', remember: true } };

  test('a pairwise client receives the forced identifier, after a refresh too', async () => {
    const tokens = await login(instance, shop, forced);
    expect(subOf(tokens.id_token)).toBe('member-7');
    expect(await infoOf(tokens.access_token)).toMatchObject({ sub: 'member-7' });
    const { body } = await refresh(instance, shop, tokens.refresh_token);
    expect(subOf(body.id_token)).toBe('member-7');
    expect(await introspect(instance, body.access_token)).toMatchObject({
      sub: 'alice',
      obfuscated_subject: 'member-7',
    });
  });

  test('a public client ignores the forced identifier', async () => {
    const open = await registerClient(instance, 'open-forced');
    const tokens = await login(instance, open, forced);
    expect(subOf(tokens.id_token)).toBe('alice');
    expect(await introspect(instance, tokens.access_token)).not.toHaveProperty('obfuscated_subject');
  });

  test('makes a hint that is known again by its session', async () => {
    const browser = createBrowser();
    const { id_token } = await login(instance, shop, { browser, ...forced });
    const params = { id_token_hint: String(id_token) };
    expect(await askLogin(instance, shop, { browser, params })).toMatchObject({ skip: true, subject: 'alice' });
  });
});

describe('registration of pairwise clients', () => {
  const sector = (): string => `${remote.origin}/sector.json`;
  beforeEach(() => {
    remote.seen.length = 0;
  });

  test('takes redirect URIs of several hosts when the sector lists them all', async () => {
    const redirectUris = ['https://a.test/cb', 'https://b.test/cb'];
    remote.answer = json([...redirectUris, 'https://c.test/cb']);
    const metadata = { redirect_uris: redirectUris, subject_type: 'pairwise', sector_identifier_uri: sector() };
    const { status, body } = await register(metadata);
    expect([status, body.sector_identifier_uri, body.subject_type]).toEqual([201, sector(), 'pairwise']);
    expect(remote.seen).toEqual(['GET /sector.json']);
  });

  test.each<[string, Json]>([
    ['of several hosts', { redirect_uris: ['https://a.test/cb', 'https://b.test/cb'] }],
    ['that no host receives', { redirect_uris: ['com.example.app:/cb'] }],
  ])('wants a sector for redirect URIs %s', async (_what, metadata) => {
    const { status, body } = await register({ ...metadata, subject_type: 'pairwise' });
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
    expect(body.error_description).toContain('sector_identifier_uri');
  });

  test.each<[string, Remote['answer'], string]>([
    ['does not list them', json(['https://other.test/cb']), 'does not list all redirect_uris'],
    ['is no array', json({ 'https://a.test/cb': true }), 'not a JSON array'],
    ['is no JSON', (_req, res) => void res.end('<html>'), 'not a JSON array'],
    ['is not there', (_req, res) => void res.writeHead(404).end(), 'is 404, not 200'],
    ['is elsewhere', (_req, res) => void res.writeHead(302, { location: '/x' }).end(), 'is 302, not 200'],
    ['is huge', (_req, res) => void res.end('x'.repeat(100_000)), 'sent a larger response than outbound.maxBytes'],
    ['hangs up', (req) => void req.socket.destroy(), 'can not be reached'],
  ])('refuses a client whose sector %s', async (_what, answer, problem) => {
    remote.answer = answer;
    const { status, body } = await register({ redirect_uris: ['https://a.test/cb'], sector_identifier_uri: sector() });
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
    expect(body.error_description).toContain(problem);
  });

  test('calls no private address', async () => {
    const metadata = { redirect_uris: ['https://a.test/cb'], sector_identifier_uri: 'https://169.254.169.254/latest' };
    const { status, body } = await register(metadata);
    expect([status, body.error_description]).toEqual([400, expect.stringContaining('not public')]);
  });
});

test('pairwise is refused unless it is a supported type, and a forced identifier is ignored', async () => {
  const plain = await startInTest();
  const metadata = { redirect_uris: [redirectUri], subject_type: 'pairwise' };
  expect((await adminClients(plain, 'POST', '', metadata)).status).toBe(400);
  const client = await registerClient(plain, 'app');
  const tokens = await login(plain, client, { login: { force_subject_identifier: 'x' } });
  expect(subOf(tokens.id_token)).toBe('alice');
});
