import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProvider } from '@carnet/provider';
import { listen } from '@carnet/test-servers/listen';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAdminApiServer } from '../src/server/admin-api/open-admin-api.ts';
import type { ConsoleServer } from '../src/server/console-server.ts';
import { createInProcessServer } from '../src/server/in-process.ts';
import { createBrowser, signIn } from './browser.ts';
import { devConfig } from './start-console.ts';

const { issuer } = devConfig;
const token = 'the-admin-token-of-the-console';

const folder = mkdtempSync(join(tmpdir(), 'carnet-console-'));
const started = async () => {
  const carnet = await createProvider({
    ...devConfig,
    admin: { token },
    events: { webhooks: [{ name: 'crm', url: 'http://127.0.0.1:9/hook', secret: `whsec_${'a'.repeat(32)}` }] },
    accounts: {
      database: `sqlite:${join(folder, 'accounts.db')}`,
      directories: [{ name: 'users', kind: 'sql' }],
      mail: { url: 'log:', from: 'carnet@example.com' },
    },
  });
  const admin = await listen(carnet.adminCallback());
  return { carnet, admin, url: new URL(admin.origin) };
};

let running: Awaited<ReturnType<typeof started>>;
beforeAll(async () => {
  running = await started();
});
afterAll(async () => {
  await running.admin.close();
  await running.carnet.close();
  rmSync(folder, { recursive: true });
});

const ways: readonly (readonly [string, () => Promise<ConsoleServer>])[] = [
  ['in process', async () => createInProcessServer(running.carnet, { issuer })],
  ['by the admin API', () => openAdminApiServer({ issuer, url: running.url, token, timeoutMs: 10_000 })],
];

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: { code?: string }) => error.code,
  );

describe.each(ways)('the server, %s', (way, open) => {
  let server: ConsoleServer;
  beforeAll(async () => {
    server = await open();
  });
  const id = `app-${way.length}`;

  test('clients are created, changed, listed and deleted', async () => {
    const { clients } = server;
    const created = await clients.create({
      client_id: id,
      redirect_uris: ['https://app.example/cb'],
      client_name: 'App',
    });
    expect(created.client_secret).toMatch(/.{20}/);
    expect(created.contacts).toEqual([]);
    const replaced = await clients.replace(id, { client_name: 'Without lists' });
    expect([replaced.redirect_uris, replaced.contacts]).toEqual([[], []]);
    await clients.replace(id, { redirect_uris: ['https://app.example/cb'], client_name: 'App' });
    expect(await codeOf(clients.create({ client_id: id }))).toBe('conflict');
    expect(await codeOf(clients.get('nobody'))).toBe('not_found');
    expect(await codeOf(clients.create({ redirect_uris: ['not a url'] }))).toBe('invalid_client_metadata');
    const changes = { client_name: null, metadata: { a: 1 }, client_secret: 'a secret of the client, chosen' };
    const changed = await clients.update(id, changes);
    expect(changed).toMatchObject({ client_name: '', metadata: { a: 1 }, client_secret: changes.client_secret });
    expect(await clients.get(id)).toMatchObject({ redirect_uris: ['https://app.example/cb'], metadata: { a: 1 } });
    expect((await clients.rotateSecret(id)).client_secret).toMatch(/.{20}/);
    await clients.revokeRotatedSecrets(id);
    await clients.create({ client_id: `${id}-2` });
    const first = await clients.list({ limit: 1 });
    const second = await clients.list({ limit: 1, after: first.next });
    expect(new Set([first, second].flatMap(({ items }) => items.map((each) => each.client_id))).size).toBe(2);
    await clients.delete(`${id}-2`);
    expect((await clients.list({ clientName: 'nobody' })).items).toEqual([]);
  });

  test('keys are listed and rotated', async () => {
    const { keys } = server;
    const [key] = await keys.list('hydra.openid.id-token');
    expect(await keys.get('hydra.openid.id-token', key?.kid ?? '')).toEqual(key);
    const next = await keys.generate(`set-${id}`, { alg: 'ES256' });
    expect(next.kid).toBeDefined();
    await keys.delete(`set-${id}`, next.kid);
    expect(await codeOf(keys.list(`set-${id}`))).toBe('not_found');
    // Dots would be the path of another resource at the admin API.
    expect(await codeOf(keys.list('..'))).toBe('not_found');
  });

  test('users and groups are created, found, changed and deleted', async () => {
    const { users, groups } = server;
    if (users === undefined || groups === undefined) throw new Error('not configured');
    const email = `${id}@example.com`;
    const { subject, createdAt, version } = await users.create({ email, password: 'correct horse battery' });
    expect(createdAt).toBeInstanceOf(Date);
    const found = await users.list({ search: id, limit: 5 });
    expect(found.users.map((user) => user.subject)).toEqual([subject]);
    await users.update({ subject, claims: { name: 'Ada' }, ifVersion: version });
    expect(await codeOf(users.update({ subject, claims: { name: 'Eve' }, ifVersion: version }))).toBe('changed');
    const group = await groups.create({ name: `Sales ${id}`, members: [subject] });
    expect((await groups.members({ id: group.id })).members).toHaveLength(1);
    expect((await groups.list({ search: 'Sales' })).groups.length).toBeGreaterThan(0);
    expect(await users.credentials({ subject })).toEqual({ factors: [], identities: [] });
    expect(await users.resetFactors({ subject })).toEqual({ removed: 0 });
    expect(await codeOf(users.unlinkIdentity({ subject, id: '..' }))).toBe('not_found');
    expect((await users.get({ subject })).subject).toBe(subject);
    const account = await server.account?.(subject);
    expect(account?.claims).toMatchObject({ name: 'Ada', groups: [`Sales ${id}`] });
    expect((await users.disable({ subject })).state).toBe('disabled');
    expect((await server.account?.(subject))?.claims).toEqual({});
    await groups.delete({ id: group.id });
    await users.delete({ subject });
    expect(await codeOf(users.get({ subject }))).toBe('not_found');
  });

  test('sessions, consents and tokens are found by user, and end', async () => {
    const { clients, sessions, consents, tokens } = server;
    const clientId = `rp-${id}`;
    const redirect = `https://${clientId}.example/cb`;
    const { client_secret: secret } = await clients.create({
      client_id: clientId,
      redirect_uris: [redirect],
      scope: 'openid',
    });
    const browser = createBrowser({
      [issuer]: running.carnet.fetch,
      [new URL(redirect).origin]: async () => new Response(),
    });
    const query = {
      client_id: clientId,
      redirect_uri: redirect,
      response_type: 'code',
      scope: 'openid',
      state: 'a'.repeat(22),
    };
    const start = new URL(`${issuer}/oauth2/auth?${new URLSearchParams(query)}`);
    const subject = `user-${id}`;
    const { url } = await signIn(browser, running.carnet, start, { subject, remember: true });
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: url.searchParams.get('code') ?? '',
      redirect_uri: redirect,
    });
    const headers = { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` };
    const answer = await running.carnet.fetch(new Request(`${issuer}/oauth2/token`, { method: 'POST', body, headers }));
    const { access_token: value } = (await answer.json()) as { access_token: string };
    expect(await tokens.introspect(value)).toMatchObject({ active: true, sub: subject });
    const { items: open } = await sessions.list({ subject });
    expect(open).toMatchObject([{ subject, clients: [{ clientId }] }]);
    expect(open[0]?.authenticatedAt).toBeInstanceOf(Date);
    const { items: given } = await consents.list({ subject });
    expect(given).toMatchObject([{ subject, scopes: ['openid'], client: { client_id: clientId } }]);
    expect(given[0]?.handledAt).toBeInstanceOf(Date);
    await consents.revoke({ subject, clientId });
    expect(await tokens.introspect(value)).toEqual({ active: false });
    await sessions.revoke({ sid: open[0]?.sid ?? '' });
    expect((await sessions.list({ subject })).items).toEqual([]);
  });

  test('events are listed and searched, and webhooks have a state', async () => {
    const { events } = server;
    const page = await events?.list({ recent: true, types: ['client.*'], limit: 10 });
    expect(page).toMatchObject({ next: expect.any(String), hasMore: expect.any(Boolean) });
    const found = await events?.search({ clientId: id, types: ['client.created'] });
    expect(found?.searchedThrough).toBeInstanceOf(Date);
    expect(await events?.webhooks.list()).toMatchObject([{ name: 'crm', state: 'active' }]);
    expect(await events?.webhooks.failed('crm')).toEqual([]);
    expect(await codeOf(events?.webhooks.failed('none') ?? Promise.resolve())).toBe('not_found');
  });

  test('the metrics are text, and the store answers', async () => {
    await server.ready();
    expect(await server.metrics()).toContain('# TYPE http_server_request_duration_seconds histogram');
  });
});

test('a wrong token of the admin API, and a server that does not answer, are named', async () => {
  const wrong = { issuer, url: running.url, token: 'another-token-of-16', timeoutMs: 1_000 };
  await expect(openAdminApiServer(wrong)).rejects.toThrow('does not accept the token of the console');
  const absent = { ...wrong, url: new URL('http://127.0.0.1:9') };
  await expect(openAdminApiServer(absent)).rejects.toMatchObject({ code: 'storage_unavailable' });
});
