import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccessRules } from '../src/access/settings.ts';
import { createConsole, createConsoleOf } from '../src/create-console.ts';
import { createInProcessServer } from '../src/server/in-process.ts';
import { createBrowser, signIn } from './browser.ts';
import { createTestClock, openWithSignIn, pageOf, consoleUrl as url } from './open-with-sign-in.ts';
import { devConfig } from './start-console.ts';

const { issuer } = devConfig;
const page = pageOf;

const time = createTestClock();
const { now } = time;
const open = (access?: AccessRules) => {
  time.ahead = 0;
  return openWithSignIn({ access, now });
};

let opened: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  opened = await open();
});
afterEach(() => opened.carnet.close());

const operator = { subject: 'ada', claims: { groups: ['platform'], name: 'Ada' } };
const signInAs = (who: Parameters<typeof signIn>[3], path = '/') =>
  signIn(opened.browser, opened.carnet, page(path), who);
const status = async (path = '/') => (await opened.browser.send(page(path))).status;
const jar = () => opened.browser.jarOf('http://localhost:4445');

test('an operator signs in by the provider, and returns to the page that was asked for', async () => {
  const { response, url: at } = await signInAs(operator, '/?x=1');
  expect(response.status).toBe(200);
  expect(at.href).toBe(`${url}/?x=1`);
  expect(await response.text()).toContain('Signed in as Ada (operator)');
});

test('a user without a role gets no page, and no session', async () => {
  const { response } = await signInAs({ subject: 'eve', claims: { groups: ['sales'] } });
  expect(response.status).toBe(403);
  expect(await status()).toBe(303);
});

test('the claims of another directory than that of the operators give no role', async () => {
  const rules = { ...opened.settings.access, directories: ['staff'] };
  const statusIn = (directory: string) => opened.statusWith({ claims: operator.claims, directory }, rules, operator);
  expect(await statusIn('customer')).toBe(403);
  expect(await statusIn('staff')).toBe(200);
});

test('an address that is not confirmed gives no role', async () => {
  await opened.carnet.close();
  opened = await open({ claim: 'email', operator: ['ada@example.com'] });
  const claims = { email: 'ada@example.com', email_verified: false };
  expect((await signInAs({ subject: 'eve', claims })).response.status).toBe(403);
  const confirmed = { ...claims, email_verified: true };
  expect((await signInAs({ subject: 'ada', claims: confirmed })).response.status).toBe(200);
});

test('a cookie that was copied before the sign-out is worthless after it', async () => {
  await signInAs(operator);
  const copy = [...jar()];
  const { response } = await opened.browser.follow(page('/session/end'), () => false, { method: 'POST' });
  expect(await response.text()).toContain('You are signed out');
  for (const [name, value] of copy) jar().set(name, value);
  expect(await status()).toBe(303);
});

test('a session of the console ends with the session at the provider, in whichever browser that is ended', async () => {
  await signInAs({ ...operator, remember: true });
  expect(await status()).toBe(200);
  await opened.carnet.sessions.revoke({ subject: 'ada' });
  expect(await status()).toBe(303);
});

test('a session ends when the grants of its user are revoked, as a new password and the end of access do', async () => {
  await signInAs(operator);
  await opened.carnet.consents.revoke({ subject: 'ada', all: true });
  expect(await status()).toBe(303);
});

test('a session ends after half an hour without a request', async () => {
  await signInAs({ ...operator, remember: true });
  time.ahead = 31 * 60_000;
  expect(await status()).toBe(303);
});

test('a session that is in use all the time ends after eight hours', async () => {
  const { carnet, settings } = opened;
  const server = createInProcessServer(carnet, { issuer });
  // As with directories: the role is read at each request, and needs no new sign-in.
  const account = async () => ({ claims: { groups: ['platform'] }, directory: 'users' });
  const answer = await createConsoleOf({ ...server, account }, settings);
  const browser = createBrowser({ [issuer]: carnet.fetch, 'http://localhost:4445': answer });
  expect((await signIn(browser, carnet, page('/'), operator)).response.status).toBe(200);
  const visit = async (minutes: number) => {
    time.ahead = minutes * 60_000;
    return (await browser.send(page('/sessions'))).status;
  };
  for (let minutes = 20; minutes < 480; minutes += 20) expect(await visit(minutes), `${minutes}`).toBe(200);
  expect(await visit(479)).toBe(200);
  expect(await visit(481)).toBe(303);
});

test('without directories the role is read again by a sign-in after ten minutes, without a page', async () => {
  await signInAs({ ...operator, remember: true });
  time.ahead = 9 * 60_000;
  expect(await status()).toBe(200);
  time.ahead = 11 * 60_000;
  expect(await status()).toBe(303);
  const { response } = await signInAs({ subject: 'ada', remember: true, claims: { groups: [] } });
  expect(response.status).toBe(403);
});

test('a callback without the cookie of its attempt signs no user in', async () => {
  const victim = opened.newBrowser();
  const attack = await opened.browser.follow(page('/'), (at) => at.port === '3000');
  expect(attack.url.pathname).toBe('/login');
  const callback = page('/session/callback?code=x&state=y');
  const response = await victim.send(callback);
  expect(response.status).toBe(400);
  expect(response.headers.getSetCookie()).toEqual([]);
});

test('a cookie that is changed, of another secret or of another purpose opens nothing', async () => {
  const started = await opened.browser.send(page('/session/begin'));
  expect(started.status).toBe(303);
  const attempt = jar().get('carnet-console-sign-in') ?? '';
  await signInAs(operator);
  const session = jar().get('carnet-console') ?? '';
  for (const value of [attempt, `${session.slice(0, -2)}AA`, 'x', '']) {
    jar().set('carnet-console', value);
    expect(await status()).toBe(303);
  }
  const secrets = ['another secret of at least thirty-two characters'] as [string];
  const other = await createConsole(opened.carnet, { ...opened.settings, secrets });
  const cookie = `carnet-console=${session}`;
  expect((await other(new Request(page('/'), { headers: { cookie } }))).status).toBe(303);
  const rotated = await createConsole(opened.carnet, {
    ...opened.settings,
    secrets: [...secrets, opened.settings.secrets[0]] as never,
  });
  expect((await rotated(new Request(page('/'), { headers: { cookie } }))).status).toBe(200);
});

test('a cookie of another console with the same secret opens nothing, because its users may have other roles', async () => {
  await signInAs(operator);
  const cookie = `carnet-console=${jar().get('carnet-console')}`;
  const access = { claim: 'groups', viewer: ['platform'] };
  const other = await createConsole(opened.carnet, {
    ...opened.settings,
    access,
    url: 'http://localhost:4446/console',
    clientId: 'carnet-console-apart',
  });
  const answered = await other(new Request('http://localhost:4446/console/', { headers: { cookie } }));
  expect(answered.status).toBe(303);
});

test('a form that is too long is refused before all of it is read, also without a session', async () => {
  let read = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      read += 50_000;
      if (read > 5_000_000) controller.close();
      else controller.enqueue(new Uint8Array(50_000).fill(97));
    },
  });
  const headers = { origin: 'http://localhost:4445' };
  const init = { method: 'POST', headers, body, duplex: 'half' };
  const request = new Request(page('/language'), init);
  expect((await opened.answer(request)).status).toBe(413);
  expect(read).toBeLessThan(500_000);
});

test.each(['//evil.example/', '/\\evil.example', 'https://evil.example/', '/\t/evil.example'])(
  'the sign-in returns to the first page of the console instead of %s',
  async (to) => {
    const begin = `/session/begin?${new URLSearchParams({ to })}`;
    const { url: at } = await signInAs(operator, begin);
    expect(at.href).toBe(`${url}/`);
  },
);

test('a viewer changes nothing, and a page of another origin changes nothing for an operator', async () => {
  await signInAs({ subject: 'vic', claims: { groups: ['support'] } });
  const viewed = await opened.browser.send(page('/'));
  expect(await viewed.text()).toContain('(viewer)');
  const foreign = { method: 'POST', headers: { origin: 'https://evil.example' } };
  expect((await opened.browser.send(page('/session/end'), foreign)).status).toBe(403);
  expect(await status()).toBe(200);
});

test('the client is registered once by several consoles, and its secret follows the secret of the console', async () => {
  await signInAs(operator);
  const { carnet, settings } = opened;
  const before = await carnet.clients.get('carnet-console');
  const same = await createConsole(carnet, settings);
  await same(new Request(page('/session/begin')));
  expect(await carnet.clients.get('carnet-console')).toEqual(before);
  const other = await createConsole(carnet, {
    ...settings,
    secrets: ['a new secret of at least thirty-two characters'],
  });
  await other(new Request(page('/session/begin')));
  expect((await carnet.clients.get('carnet-console')).metadata).not.toEqual(before.metadata);
});

test('no secret, code, token or address of a link reaches the log', async () => {
  await signInAs(operator);
  await opened.browser.send(page('/session/begin'));
  const callback = `/session/callback?code=a-secret-code&state=${'s'.repeat(43)}`;
  expect((await opened.browser.send(page(callback))).status).toBe(400);
  expect(JSON.stringify(opened.lines)).not.toMatch(/a-secret-code|carnet_at_/);
});
