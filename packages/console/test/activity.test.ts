import { listen } from '@carnet/test-servers/listen';
import { expect, it, onTestFinished, vi } from 'vitest';
import { codeChallenge, codeVerifier } from '../../provider/test/login.ts';
import { createBrowser, signIn } from './browser.ts';
import { startConsole } from './start-console.ts';
import { hostileText, startWithUsers, userUrl } from './start-with-users.ts';

const issuer = 'http://localhost:4444';
const operator = { operator: 'op', outcome: 'success' };

type Started = Awaited<ReturnType<typeof startWithUsers>>;

const redirectUri = 'https://shop.test/cb';
const post = (path: string, fields: Record<string, string>): Request =>
  new Request(`${issuer}${path}`, { method: 'POST', body: new URLSearchParams(fields) });

/** Signs a user in to the client `shop`, remembered, and redeems the code. */
const signInAt = async ({ carnet }: Started, subject: string, name = 'Shop') => {
  const client = { client_id: 'shop', client_name: name, redirect_uris: [redirectUri], scope: 'openid email' };
  await carnet.clients.create({ ...client, token_endpoint_auth_method: 'none' }).catch(() => undefined);
  const query = { client_id: 'shop', response_type: 'code', redirect_uri: redirectUri, scope: 'openid email' };
  const more = { state: 'a-state-of-the-test', code_challenge: codeChallenge, code_challenge_method: 'S256' };
  const browser = createBrowser({
    [issuer]: carnet.fetch,
    'https://shop.test': async () => new Response('signed in'),
  });
  const start = new URL(`${issuer}/oauth2/auth?${new URLSearchParams({ ...query, ...more })}`);
  const { url } = await signIn(browser, carnet, start, { subject, remember: true });
  const code = url.searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', client_id: 'shop', redirect_uri: redirectUri };
  const tokens = await carnet.fetch(post('/oauth2/token', { ...grant, code, code_verifier: codeVerifier }));
  expect(tokens.status).toBe(200);
};

const viewerOf = ({ carnet }: Started) => startConsole({}, { subject: 'vic', name: 'Vic', role: 'viewer' }, { carnet });

const redirectOf = (response: Response): string => response.headers.get('location')?.replace('/console', '') ?? '';

it('the sessions of a user name their clients, and end one by one or all at once', async () => {
  const at = await startWithUsers();
  await signInAt(at, 'people.ada', hostileText);
  await signInAt(at, 'people.ada');
  const page = await at.text('/sessions?subject=people.ada');
  expect(page).toContain('href="/console/clients/shop"');
  expect(page).not.toContain('<script>alert');
  const sids = [...page.matchAll(/name="sid" value="([^"]+)"/g)].map(([, sid]) => sid);
  expect(sids).toHaveLength(2);
  const ended = await at.post('/sessions/end', { sid: sids[0] ?? '', subject: 'people.ada' });
  expect([...(await at.text(redirectOf(ended))).matchAll(/name="sid"/g)]).toHaveLength(1);
  await at.post('/sessions/end-all', { subject: 'people.ada' });
  expect((await at.carnet.sessions.list({ subject: 'people.ada' })).items).toEqual([]);
  expect(at.audits()).toEqual([
    { action: 'console.session.revoke', sid: sids[0], ...operator },
    { action: 'console.session.revokeAll', subject: 'people.ada', ...operator },
  ]);
});

it('the consents of a user are listed and revoked', async () => {
  const at = await startWithUsers();
  await signInAt(at, 'people.ada');
  const redeemed = await at.carnet.consents.list({ subject: 'people.ada' });
  const page = await at.text('/sessions/consents?subject=people.ada');
  const ids = [...page.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toEqual(redeemed.items.map(({ consentRequestId }) => consentRequestId));
  for (const id of ids) await at.post('/sessions/consents/revoke', { id: id ?? '', subject: 'people.ada' });
  const all = await at.post('/sessions/consents/revoke-all', { subject: 'people.ada' });
  expect(await at.text(redirectOf(all))).toContain('has no consents');
  expect((await at.carnet.consents.list({ subject: 'people.ada' })).items).toEqual([]);
});

it('the users of a client are those that its events name', async () => {
  const at = await startWithUsers();
  await signInAt(at, 'people.ada');
  await vi.waitFor(async () => expect(await at.text('/sessions?client_id=shop')).toContain('people.ada'), 10_000);
  const page = await at.text('/sessions?client_id=shop');
  expect(page).toContain('href="/console/sessions?subject=people.ada"');
});

it('a viewer reads sessions, consents, events and webhooks, and changes none', async () => {
  const at = await startWithUsers();
  await signInAt(at, 'people.ada');
  const { get, post } = await viewerOf(at);
  for (const path of ['/sessions?subject=people.ada', '/sessions/consents?subject=people.ada', '/events', '/webhooks'])
    expect(await (await get(path)).text()).not.toMatch(/<form method="post" action="\/console\/(?:sessions|webhooks)/);
  for (const path of [
    '/sessions/end',
    '/sessions/end-all',
    '/sessions/consents/revoke',
    '/sessions/consents/revoke-all',
  ])
    expect((await post(path, { subject: 'people.ada' })).status).toBe(403);
  for (const path of ['/webhooks/crm/retry', '/webhooks/crm/test']) expect((await post(path, {})).status).toBe(403);
  expect((await at.carnet.sessions.list({ subject: 'people.ada' })).items).toHaveLength(1);
});

it('the request id of an error page leads to the reason in one search', async () => {
  const at = await startWithUsers();
  await signInAt(at, 'people.ada');
  const query = new URLSearchParams({ client_id: 'shop', response_type: 'code', redirect_uri: 'https://evil.test/' });
  const refused = await at.carnet.fetch(new Request(`${issuer}/oauth2/auth?${query}`));
  const [, id = ''] = /Request ([\w-]+)/.exec(await refused.text()) ?? [];
  const search = () => at.text(`/events?request_id=${id}`);
  await vi.waitFor(async () => expect(await search()).toContain('request.refused'), 10_000);
  expect(await search()).toContain('refused: invalid_redirect_uri');
  expect(await search()).not.toContain('login.succeeded');
});

it('events are filtered by the URL, and link the pages of their users, clients and requests', async () => {
  const at = await startWithUsers();
  const { subject } = await at.users.create({ username: 'bob' });
  await at.users.disable({ subject });
  await vi.waitFor(async () => expect(await at.text('/events')).toContain('user.disabled'), 10_000);
  const page = await at.text(`/events?subject=${subject}&type=user.*&client_id=`);
  expect(page).toContain(`href="/console${userUrl(subject)}"`);
  expect(page).toContain('user.created');
  expect(page).toContain('value="user.*"');
  expect(await at.text('/events?type=user.deleted')).toContain('Nothing found');
  expect(await at.text('/events?since=2020-01-01&until=2020-01-02T10:00')).toContain('Nothing found');
  expect((await at.get('/events?type=unknown.type')).status).toBe(400);
  const wrongTime = await at.get('/events?since=yesterday');
  expect([wrongTime.status, await wrongTime.text()]).toEqual([
    400,
    expect.stringContaining('“yesterday” is not a time'),
  ]);
  const [, id = ''] = /\/events\?id=(evt_\w+)/.exec(page) ?? [];
  expect(await at.text(`/events?id=${id}`)).toContain(subject);
});

it('new events are sent to the live page, each once', async () => {
  const at = await startWithUsers();
  const page = await at.text('/events/live?type=user.*');
  expect(page).toContain('<noscript><meta http-equiv="refresh"');
  expect(page).toContain('data-live="/console/events/stream?type=user.*"');
  const response = await at.get('/events/stream?type=user.*');
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  await at.users.create({ username: 'bob', claims: { name: hostileText } });
  let text = '';
  while (!text.includes('user.created')) text += (await reader?.read())?.value ?? '';
  const next = await reader?.read();
  expect(next?.value).not.toContain('user.created');
  await reader?.cancel();
  expect((await at.get('/events/live.js')).headers.get('content-type')).toContain('text/javascript');
}, 20_000);

it('a webhook shows its failures, is tested, and tries failed events again', async () => {
  const statuses = [500];
  const receiver = await listen((_request, response) => void response.writeHead(statuses[0] ?? 200).end());
  onTestFinished(receiver.close);
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const webhooks = [{ name: 'crm', url: `${receiver.origin}/hook`, secret, types: ['user.*'] }];
  const at = await startWithUsers({ events: { webhooks } });
  expect(await at.text('/webhooks')).toContain('href="/console/webhooks/crm"');
  expect(await at.text('/webhooks/crm')).toContain('No event has failed');
  expect(await (await at.post('/webhooks/crm/test', {})).text()).toContain('has not accepted the event');
  statuses[0] = 204;
  expect(await (await at.post('/webhooks/crm/test', {})).text()).toContain('has accepted the event');
  const retried = await at.post('/webhooks/crm/retry', {});
  expect(await at.text(redirectOf(retried))).toContain('tries them again');
  expect((await at.get('/webhooks/none')).status).toBe(404);
  expect((await at.post('/webhooks/none/retry', {})).status).toBe(404);
  expect(await at.text('/webhooks')).not.toContain(secret);
});

it('without events and users, their pages say so', async () => {
  const { carnet, get } = await startConsole();
  onTestFinished(() => carnet.close());
  for (const path of ['/events', '/events/live', '/webhooks', '/users', '/sessions?client_id=shop']) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(await response.text()).toContain('of the configuration');
  }
});

it('an operator has at most 20 streams of events open, so that they do not slow the store', async () => {
  const { get } = await startWithUsers();
  const statuses: number[] = [];
  for (let count = 0; count < 30; count++) statuses.push((await get('/events/stream')).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  expect(statuses.at(-1)).toBe(429);
  expect((await get('/overview/live')).status).toBe(429);
});
