import { describe, expect, test } from 'vitest';
import { partsOf, startMailbox } from '../../../accounts/test/mail/smtp-mailbox.ts';
import { createBrowser } from '../browser.ts';
import { registerClient } from '../clients.ts';
import { askLogin, login, redeem, refresh } from '../login.ts';
import { startLogoutReceiver } from '../logout-receiver.ts';
import { codeAt, walk } from '../walk.ts';
import { password, sqliteUrl, startAccounts, startWithAda } from './start-accounts.ts';

const ada = 'ada@example.com';
const remember = { login: { remember: true } };

type Started = Pick<Awaited<ReturnType<typeof startAccounts>>, 'admin' | 'logLines'>;

/** Requests to `/admin/users`. */
const usersOf = ({ admin }: Started) => {
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const response = await fetch(`${admin}/admin/users${path}`, { method, headers, body: json });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    send,
    /** The items of all pages. */
    async pages(query: string) {
      const sizes: number[] = [];
      let next: string | undefined = `/admin/users?${query}`;
      while (next !== undefined) {
        const response: Response = await fetch(`${admin}${next}`);
        sizes.push(((await response.json()) as unknown[]).length);
        next = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      }
      return sizes;
    },
  };
};

const auditsOf = ({ logLines }: Started, action: string) =>
  logLines.map((line) => JSON.parse(line).audit).filter((audit) => audit?.action === action);

describe('/admin/users', () => {
  test('invites a user, whose page sets the password with the link of the email', async () => {
    const { port, received } = await startMailbox();
    const mail = { url: `smtp://127.0.0.1:${port}?tls=none`, from: 'id@example.com' };
    const urls = { login: 'https://login.example.com/login' };
    const instance = await startAccounts(sqliteUrl(), { config: { accounts: { mail }, urls } });
    const { send } = usersOf(instance);
    const created = await send('POST', '', { email: ada, invite: true });
    expect([created.status, created.body]).toMatchObject([201, { logins: [ada], has_password: false }]);
    const invited = await send('POST', `/${created.body.subject}/invite`);
    expect([invited.status, invited.headers.get('etag')]).toEqual([200, created.headers.get('etag')]);
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(2);
    const tokens = received.map((each) => /invitation\?token=([\w-]{22})/.exec(partsOf(each)[0] ?? '')?.[1]);
    const answers = [];
    for (const token of tokens) answers.push((await instance.call('invitation/accept', { token, password })).body);
    expect(answers.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(answers).toContainEqual({ ok: false, error: 'invalid_token' });
    expect((await send('POST', `/${created.body.subject}/invite`)).status).toBe(400);
    expect(auditsOf(instance, 'user.invite').map(({ outcome }) => outcome)).toEqual(['success', 'success', 'denied']);
    expect(auditsOf(instance, 'account.invitation_accepted')).toMatchObject([{ subject: created.body.subject }]);
    for (const token of tokens) expect(instance.logLines.join()).not.toContain(token);
  });

  test('creates, lists, changes and deletes users', async () => {
    const instance = await startWithAda();
    const { send, pages } = usersOf(instance);
    const created = await send('POST', '', { username: 'bob', claims: { name: 'Bob Builder' }, password });
    expect([created.status, created.body]).toMatchObject([
      201,
      { state: 'active', logins: ['bob'], has_password: true },
    ]);
    const path = `/${created.body.subject}`;
    expect(await send('GET', path)).toMatchObject({ status: 200, body: created.body });
    for (const query of ['?search=bob%20b', '?login=BOB', '?state=active&search=bo'])
      expect((await send('GET', query)).body).toEqual([created.body]);
    for (let index = 0; index < 5; index += 1) await send('POST', '', { username: `mass${index}` });
    expect(await pages('search=mass&page_size=2')).toEqual([2, 2, 1]);
    expect(await pages('page_size=500')).toEqual([7]);

    const change = { email: 'bob@example.com', email_verified: true, username: null, claims: { name: null } };
    const changed = await send('PATCH', path, change);
    expect(changed).toMatchObject({ status: 200, body: { logins: ['bob@example.com'] } });
    expect(changed.body.claims).toEqual({ email: 'bob@example.com', email_verified: true });
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('GET', path)).status).toBe(404);
    expect((await send('DELETE', path)).status).toBe(404);
    const subject = created.body.subject;
    expect(auditsOf(instance, 'user.delete')).toMatchObject([
      { outcome: 'success', subject, byAdmin: true },
      { outcome: 'denied', subject, reason: 'not_found' },
    ]);
  });

  test('changes only the version in If-Match', async () => {
    const { subject, ...instance } = await startWithAda();
    const { send } = usersOf(instance);
    const etag = String((await send('GET', `/${subject}`)).headers.get('etag'));
    const update = (match: string, index: number) =>
      send('PATCH', `/${subject}`, { claims: { index } }, { 'if-match': match });
    const statuses = await Promise.all([1, 2, 3, 4].map(async (index) => (await update(etag, index)).status));
    expect(statuses.toSorted()).toEqual([200, 412, 412, 412]);
    for (const match of [etag, `W/${etag}`, '"x"', 'x'])
      expect(await update(match, 5)).toMatchObject({ status: 412, body: { error: 'precondition_failed' } });
    expect((await send('DELETE', `/${subject}`, undefined, { 'if-match': etag })).status).toBe(412);
    expect((await update('*', 6)).body.claims).toMatchObject({ index: 6, name: 'Ada Lovelace' });
  });

  test.each([
    ['POST', '', { name: 'Bob' }, 400, "'name'"],
    ['POST', '', { username: 7 }, 400, "'username'"],
    ['POST', '', { username: 'bob', password: 'short' }, 400, "'password'"],
    ['POST', '', { username: ada }, 409, "'username'"],
    ['POST', '', '[]', 400, 'body'],
    ['GET', '?state=gone', undefined, 400, "'state'"],
    ['GET', '?page_size=0', undefined, 400, "'page_size'"],
    ['GET', '?search=a&search=b', undefined, 400, "'search'"],
    ['GET', '?page_token=x', undefined, 400, 'page token'],
    ['PATCH', '/users.unknown', { state: 'locked' }, 404, 'No directory'],
    ['POST', '/absent/disable', undefined, 404, 'No directory'],
    ['PUT', '', {}, 405, 'GET, POST'],
  ])('the error names what is wrong: %s %s %j', async (method, path, body, status, named) => {
    const answer = await usersOf(await startWithAda()).send(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error_description).toContain(named);
    expect(JSON.stringify(answer.body)).not.toContain('short');
  });

  test('needs a token with the right `users`; the login app has none', async () => {
    const value = (name: string) => `a-token-of-the-tests-${name}`;
    const rights = ['login', 'accounts', 'users'] as const;
    const tokens = rights.map((name) => ({ name, rights: [name], value: value(name) }));
    const instance = await startWithAda({ admin: { tokens } });
    const statusFor = async (name: string) =>
      (await usersOf(instance).send('GET', '', undefined, { authorization: `Bearer ${value(name)}` })).status;
    expect(await Promise.all(rights.map(statusFor))).toEqual([403, 403, 200]);
    const headers = { authorization: `Bearer ${value('users')}` };
    expect((await instance.call('factors/reset', { subject: instance.subject }, headers)).status).toBe(200);
    expect((await instance.call('account/show', { subject: instance.subject }, headers)).status).toBe(403);
  });

  test('the same functions are in `carnet.users`, with CarnetErrors', async () => {
    const { carnet, subject } = await startWithAda();
    const found = await carnet.users?.list({ search: 'ada l' });
    expect(found?.users).toMatchObject([{ subject, logins: [ada] }]);
    await expect(carnet.users?.get({ subject: 'users.unknown' })).rejects.toMatchObject({
      name: 'CarnetError',
      code: 'not_found',
    });
    const misspelt = { search: 'a', page_size: 5 };
    await expect(carnet.users?.list(misspelt)).rejects.toMatchObject({ code: 'invalid_request', field: 'page_size' });
    await expect(carnet.users?.create({ username: 'bob', password: 'short' })).rejects.toMatchObject({
      code: 'invalid_request',
      field: 'password',
    });
  });

  test('there are none without accounts', async () => {
    const { startInTest } = await import('../before-tests.ts');
    const instance = await startInTest();
    expect(instance.carnet.users).toBeUndefined();
    expect((await fetch(`${instance.admin}/admin/users`)).status).toBe(404);
  });
});

describe('a user who is disabled', () => {
  const start = async () => {
    const { subject, ...instance } = await startWithAda({ accounts: { revokeTokensOnPasswordChange: false } });
    const { send } = usersOf(instance);
    const introspect = async (token: string) => {
      const body = new URLSearchParams({ token });
      const response = await fetch(`${instance.admin}/admin/oauth2/introspect`, { method: 'POST', body });
      return ((await response.json()) as { active: boolean }).active;
    };
    return { instance, subject, send, introspect };
  };

  test('loses sessions, grants and tokens with the answer, and clients are notified; another user loses none', async () => {
    const { instance, subject, send, introspect } = await start();
    const receiver = await startLogoutReceiver();
    const client = await registerClient(instance, 'app', { backchannel_logout_uri: receiver.url });
    const signIn = async (user: string) => {
      const browser = createBrowser();
      const tokens = await login(instance, client, { browser, subject: user, ...remember });
      return async () => [
        (await askLogin(instance, client, { browser })).skip,
        (await refresh(instance, client, tokens.refresh_token)).status,
        await introspect(String(tokens.access_token)),
      ];
    };
    const [stateOfAda, stateOfBob] = [await signIn(subject), await signIn('users.bob')];
    expect(await send('POST', `/${subject}/disable`)).toMatchObject({ status: 200, body: { state: 'disabled' } });
    expect(await stateOfAda()).toEqual([false, 400, false]);
    expect(await stateOfBob()).toEqual([true, 200, true]);
    expect(await receiver.until(1)).toHaveLength(1);
    await receiver.close();
    const signedIn = await instance.call('sign-in/password', { login: ada, password, binding: 'c' });
    expect(signedIn.body).toEqual({ state: 'refused' });
    expect(auditsOf(instance, 'user.disable')).toMatchObject([{ outcome: 'success', subject, byAdmin: true }]);
  });

  test('gets no lasting tokens for a code that was issued before', async () => {
    const { instance, subject, send, introspect } = await start();
    const client = await registerClient(instance, 'app');
    const flow = await walk(instance, client, { login: { subject } });
    const code = await codeAt(flow.browser, flow.consentUrl);
    await send('PATCH', `/${subject}`, { state: 'disabled' });
    const { body } = await redeem(instance, client, code);
    const token = String(body.access_token);
    await expect.poll(() => introspect(token), { timeout: 5_000 }).toBe(false);
  });

  test('a user of any directory is signed out by DELETE of the sessions', async () => {
    const { instance, subject, send } = await start();
    const client = await registerClient(instance, 'app');
    const browser = createBrowser();
    await login(instance, client, { browser, subject, ...remember });
    expect((await send('DELETE', `/${subject}/sessions`)).status).toBe(204);
    expect((await askLogin(instance, client, { browser })).skip).toBe(false);
    const signedIn = await instance.call('sign-in/password', { login: ada, password, binding: 'c' });
    expect(signedIn.body).toMatchObject({ state: 'done' });
  });
});

test('a database that does not answer is 503, not an empty list', async () => {
  const url = sqliteUrl();
  const instance = await startAccounts(url);
  const { DatabaseSync } = await import('node:sqlite');
  const file = new DatabaseSync(url.slice('sqlite:'.length));
  file.exec('drop table carnet_user');
  file.close();
  expect((await usersOf(instance).send('GET', '')).status).toBe(503);
});
