import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signIn } from './browser.ts';
import { openWithSignIn, pageOf } from './open-with-sign-in.ts';

const operator = { subject: 'ada', claims: { groups: ['platform'], name: 'Ada' } };

let opened: Awaited<ReturnType<typeof openWithSignIn>>;
beforeEach(async () => {
  opened = await openWithSignIn({});
});
afterEach(async () => {
  vi.useRealTimers();
  await opened.carnet.close();
});

const POST = { method: 'POST' };
const stream = pageOf('/overview/live');
const signInAs = (who: Parameters<typeof signIn>[3]) => signIn(opened.browser, opened.carnet, pageOf('/'), who);
const audits = () =>
  opened.lines.flatMap((line) => ('audit' in line ? [line.audit as { readonly action: string }] : []));

/** An open stream of figures, after its first message. The session is not checked by itself, and no second message follows. */
const openStream = async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const response = await opened.browser.send(stream, { headers: { 'sec-fetch-dest': 'empty' } });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  return { next: () => reader?.read(), leave: () => reader?.cancel() };
};

test('a sign-out is recorded with its operator once, and a second tab may sign out, too', async () => {
  await signInAs(operator);
  const jar = opened.browser.jarOf('http://localhost:4445');
  const copy = [...jar];
  for (const _tab of ['first', 'second', 'third']) {
    const response = await opened.browser.send(pageOf('/session/end'), POST);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/console/session/ended']);
    for (const [name, value] of copy) jar.set(name, value);
  }
  expect(audits().filter(({ action }) => action === 'console.session.end')).toEqual([
    { action: 'console.session.end', outcome: 'success', operator: 'ada' },
  ]);
});

test('the streams of all tabs end with the sign-out, without another message', async () => {
  await signInAs(operator);
  const tabs = [await openStream(), await openStream()];
  const ends = tabs.map(({ next }) => next());
  await opened.browser.send(pageOf('/session/end'), POST);
  for (const end of ends) expect(await end).toEqual({ done: true, value: undefined });
});

test('a sign-out after a browser has left its stream ends nothing twice', async () => {
  await signInAs(operator);
  const { leave } = await openStream();
  await leave();
  const { next } = await openStream();
  const end = next();
  expect((await opened.browser.send(pageOf('/session/end'), POST)).status).toBe(303);
  expect((await end)?.done).toBe(true);
});

test('an operator who ends the sessions of another ends the streams of that one', async () => {
  await signInAs({ ...operator, subject: 'bob', remember: true });
  const { next } = await openStream();
  const end = next();
  const ada = opened.newBrowser();
  await signIn(ada, opened.carnet, pageOf('/'), operator);
  await ada.send(pageOf('/sessions/end-all'), { ...POST, body: new URLSearchParams({ subject: 'bob' }) });
  expect((await end)?.done).toBe(true);
});

test('an import ends with the sign-out', async () => {
  await signInAs(operator);
  const count = 20_000;
  const clients = Array.from({ length: count }, (_, index) => ({ client_id: `app-${index}` }));
  const form = new FormData();
  form.set('file', new File([JSON.stringify(clients)], 'clients.json'));
  const checked = await (await opened.browser.send(pageOf('/import-clients'), { ...POST, body: form })).text();
  const body = new URLSearchParams({ checked: /name="checked" value="([^"]+)"/.exec(checked)?.[1] ?? '' });
  const response = await opened.browser.send(pageOf('/import-clients'), { ...POST, body });
  const reader = response.body?.getReader();
  // The start of the page, the sentence about the import, and the first clients. The next ones are being registered.
  for (const _part of [1, 2, 3]) expect((await reader?.read())?.done).toBe(false);
  await opened.browser.send(pageOf('/session/end'), POST);
  expect((await reader?.read())?.done).toBe(true);
  const registered = () => audits().filter(({ action }) => action === 'console.client.import').length;
  // The registrations that have begun end, and no further one begins.
  await signInAs(operator);
  const afterEnd = registered();
  await opened.browser.send(pageOf('/clients'));
  expect(registered()).toBe(afterEnd);
  expect(afterEnd).toBeGreaterThan(0);
  expect(afterEnd).toBeLessThan(count);
});

test('with directories, the subject gives a role to users who may sign in', async () => {
  const rules = { claim: 'sub', operator: ['ada'] };
  const user = { claims: { name: 'Ada' }, directory: 'users' };
  expect(await opened.statusWith(user, rules, { subject: 'ada' })).toBe(200);
  expect(await opened.statusWith(user, rules, { subject: 'eve' })).toBe(403);
  expect(await opened.statusWith({ claims: {} }, rules, { subject: 'ada' })).toBe(403);
});
