import { createServer } from 'node:http';
import { listen } from '@carnet/test-servers/listen';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AccountsDependencies } from '../../src/index.ts';
import { createUser, enrolTotp, password, useDatabases } from '../open-test-accounts.ts';
import { totpCode } from '../totp-code.ts';
import { binding, callback, finishOf, openFederation, openUpstream, upstreamOptions } from './open-federation.ts';

const databases = useDatabases();

const ada = { name: 'Ada', email: 'ada@example.com', email_verified: true };
const login = { user: 'ada' };
const expired = { state: 'expired' };

const open = async (members: Omit<Parameters<typeof openFederation>[0], 'database'> = {}) => {
  const test = await openFederation({
    database: await databases.createUrl('sqlite'),
    provider: { signUp: 'automatic' },
    ...members,
  });
  test.upstream.users.set('ada', ada);
  return test;
};

/** A user of the accounts with a password, whose address ada has at the provider. */
const openWithAda = async (provider: object = {}) => {
  const database = await databases.createUrl('sqlite');
  const subject = await createUser(database, { emailVerified: true });
  const test = await openFederation({ database, provider: { signUp: 'automatic', ...provider } });
  test.upstream.users.set('ada', ada);
  test.upstream.users.set('mallory', { ...ada, name: 'Mallory' });
  return { ...test, subject, database };
};

const linkOf = (state: object): string => (state as { link: string }).link;

describe('the callback of a provider', () => {
  it('the answer is refused in a browser that did not begin: CSRF and fixation', async () => {
    const { accounts, answer, upstream } = await open();
    const { cookie } = await accounts.providers.begin({ provider: 'corp', binding, callback });
    const answered = finishOf(await answer(login));
    const before = upstream.requests.length;
    expect(await accounts.providers.finish({ ...answered, cookie })).toEqual(expired);
    expect(await accounts.providers.finish({ ...answered, cookie: '' })).toEqual(expired);
    // The code is not redeemed for the other browser.
    expect(upstream.requests.length).toBe(before);
  });

  it('the answer is refused with the state of another login request, and with a changed one', async () => {
    const { accounts, answer } = await open();
    const answered = finishOf(await answer(login));
    expect(await accounts.providers.finish({ ...answered, binding: 'login-challenge-2' })).toEqual(expired);
    const changed = new URLSearchParams(answered.answer);
    changed.set('state', `${changed.get('state')?.split('.')[0]}.login-challenge-2`);
    const other = { ...answered, answer: changed.toString(), binding: 'login-challenge-2' };
    expect(await accounts.providers.finish(other)).toEqual(expired);
    const twice = `${answered.answer}&state=another`;
    expect(await accounts.providers.finish({ ...answered, answer: twice })).toEqual(expired);
    expect(await accounts.providers.finish({ ...answered, answer: 'code=a' })).toEqual(expired);
  });

  it('the answer is refused after ten minutes', async () => {
    const { accounts, answer, clock } = await open();
    const answered = finishOf(await answer(login));
    clock.now += 600_000;
    expect(await accounts.providers.finish(answered)).toEqual(expired);
    const state = new URLSearchParams(answered.answer).get('state') ?? '';
    expect(await accounts.providers.read({ state })).toBeUndefined();
  });

  it('the answer is accepted once: a replayed code is refused by the provider, and signs in no user', async () => {
    const { accounts, answer } = await open();
    const answered = finishOf(await answer(login));
    expect(await accounts.providers.finish(answered)).toMatchObject({ state: 'done' });
    expect(await accounts.providers.finish(answered)).toEqual({ state: 'provider_failed' });
  });

  it('with the code of another sign-in is refused: PKCE binds the code to the browser', async () => {
    const { accounts, answer } = await open();
    const [mine, stolen] = [finishOf(await answer(login)), finishOf(await answer(login))];
    const swapped = new URLSearchParams(mine.answer);
    swapped.set('code', new URLSearchParams(stolen.answer).get('code') ?? '');
    expect(await accounts.providers.finish({ ...mine, answer: swapped.toString() })).toEqual({
      state: 'provider_failed',
    });
  });

  it('of another provider is refused: mix-up', async () => {
    const evil = await openUpstream('evil');
    const { accounts, answer } = await open({ others: [upstreamOptions(evil, { name: 'evil' })] });
    const answered = finishOf(await answer(login));
    const page = callback.replace('/corp', '/evil');
    expect(await accounts.providers.finish({ ...answered, provider: 'evil', callback: page })).toEqual(expired);
    // The answer names its issuer (RFC 9207).
    const parameters = new URLSearchParams(answered.answer);
    expect(parameters.get('iss')).not.toBeNull();
    parameters.set('iss', evil.issuer);
    const mixed = { ...answered, answer: parameters.toString() };
    expect(await accounts.providers.finish(mixed)).toEqual({ state: 'provider_failed' });
    parameters.delete('iss');
    const silent = { ...answered, answer: parameters.toString() };
    expect(await accounts.providers.finish(silent)).toEqual({ state: 'provider_failed' });
  });

  it.each([
    ['of another site', 'https://evil.example/login/provider/corp'],
    ['of another provider', 'https://login.example.com/login/provider/evil'],
    ['with a query', `${callback}?next=https://evil.example`],
  ])('a callback is none %s', async (_title, page) => {
    const { accounts } = await open();
    const begun = accounts.providers.begin({ provider: 'corp', binding, callback: page });
    await expect(begun).rejects.toMatchObject({ code: 'foreign_link' });
  });

  it('tells that the user has stopped', async () => {
    const { signIn, events } = await open();
    expect(await signIn('stop')).toEqual({ state: 'denied' });
    expect(events.at(-1)).toMatchObject({ method: 'provider', result: 'denied', provider: 'corp' });
  });
});

describe('the sealed state', () => {
  it('the state is at most 400 bytes longer than the login challenge, and names its binding', async () => {
    const { accounts, upstream } = await open();
    const long = 'c'.repeat(3_300);
    const all = { remember: true, maxAge: 3_600, prompt: 'login', subject: `people.${'a'.repeat(36)}` };
    const { url } = await accounts.providers.begin({ provider: 'corp', binding: long, callback, ...all });
    // Pushed: the request is at the provider, and the URL is short.
    expect(url.length).toBeLessThan(300);
    expect(upstream.requests).toContain('POST /request');
    const { accounts: others } = await open({ dependencies: { sendToProvider: withoutPar(upstream.send) } });
    const direct = await others.providers.begin({ provider: 'corp', binding: long, callback, ...all });
    const state = new URL(direct.url).searchParams.get('state') ?? '';
    expect(state.length - long.length).toBeLessThanOrEqual(400);
    expect(await others.providers.read({ state })).toEqual({ binding: long, remember: true });
    expect(await others.providers.read({ state: `${state}x` })).toBeUndefined();
  });
});

/** A provider that offers no pushed requests. */
const withoutPar =
  (send: NonNullable<AccountsDependencies['sendToProvider']>): typeof send =>
  async (request) => {
    const answer = await send(request);
    return { ...answer, body: answer.body.replace('pushed_authorization_request_endpoint', 'unknown') };
  };

describe('a proof of linking', () => {
  it('the proof links nothing for another user, in another sign-in, or after ten minutes', async () => {
    const { accounts, signIn, subject, database, clock } = await openWithAda();
    await createUser(database, { email: 'bob@example.com' });
    const link = linkOf(await signIn(login));
    const asBob = { login: 'bob@example.com', password, binding, link };
    expect(await accounts.signIn.password(asBob)).toMatchObject({ state: 'done' });
    const elsewhere = { login: ada.email, password, binding: 'login-challenge-2', link };
    expect(await accounts.signIn.password(elsewhere)).toMatchObject({ state: 'done' });
    clock.now += 600_000;
    expect(await accounts.signIn.password({ login: ada.email, password, binding, link })).toMatchObject({
      state: 'done',
    });
    expect(await accounts.providers.identities({ subject })).toEqual({ identities: [] });
    expect(await signIn(login)).toMatchObject({ state: 'link' });
  });

  it('the proof is bound to the identity: that of another user of the provider is not linked with it', async () => {
    const { accounts, signIn, subject } = await openWithAda();
    const link = linkOf(await signIn(login));
    await accounts.signIn.password({ login: ada.email, password, binding, link });
    expect(await signIn({ user: 'mallory' })).toMatchObject({ state: 'link' });
    expect((await accounts.providers.identities({ subject })).identities).toHaveLength(1);
  });

  it('the proof is void after the identity was unlinked', async () => {
    const { accounts, signIn, subject, clock } = await openWithAda();
    const [used, kept] = [linkOf(await signIn(login)), linkOf(await signIn(login))];
    await accounts.signIn.password({ login: ada.email, password, binding, link: used });
    const { identities } = await accounts.providers.identities({ subject });
    clock.now += 1_000;
    expect(await accounts.providers.unlink({ subject, id: identities[0]?.id ?? '' })).toEqual({ ok: true });
    for (const link of [used, kept]) await accounts.signIn.password({ login: ada.email, password, binding, link });
    expect(await accounts.providers.identities({ subject })).toEqual({ identities: [] });
    // A new proof is accepted.
    clock.now += 1_000;
    const link = linkOf(await signIn(login));
    await accounts.signIn.password({ login: ada.email, password, binding, link });
    expect((await accounts.providers.identities({ subject })).identities).toHaveLength(1);
  });

  it('the proof links nothing before the second factor is verified', async () => {
    const test = await openWithAda();
    const { accounts, signIn, subject, clock } = test;
    const secret = await enrolTotp(test, subject);
    const link = linkOf(await signIn(login));
    const state = await accounts.signIn.password({ login: ada.email, password, binding, link });
    expect(state).toMatchObject({ state: 'factor' });
    expect(await accounts.providers.identities({ subject })).toEqual({ identities: [] });
    const { progress } = state as { progress: string };
    const code = totpCode(secret, clock.now);
    await accounts.signIn.factor({ progress, kind: 'totp', code, binding, link });
    expect((await accounts.providers.identities({ subject })).identities).toHaveLength(1);
  });

  it('the proof is no progress, no state and no sign-up, and those are no proof', async () => {
    const { accounts, signIn } = await openWithAda({ signUp: 'confirm' });
    const link = linkOf(await signIn(login));
    expect(await accounts.signIn.resume({ progress: link, binding })).toEqual(expired);
    expect(await accounts.providers.signUp({ progress: link, binding })).toEqual(expired);
    expect(await accounts.providers.read({ state: `${link}.${binding}` })).toBeUndefined();
  });
});

describe('a provider that misbehaves', () => {
  const serve = async (status: number, body: string, delay = false): Promise<string> => {
    const server = createServer((_request, response) => {
      if (!delay) response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    const { origin, close } = await listen(server);
    onTestFinished(close);
    return origin;
  };

  it.each([
    ['answers with an error', 500, '{}'],
    ['answers with metadata of another issuer', 200, '{"issuer":"https://evil.example"}'],
    ['answers with no JSON', 200, '<html>'],
  ])('%s is an outage', async (_title, status, body) => {
    const issuer = await serve(status, body);
    const { accounts } = await open({ provider: { issuer } });
    const begun = accounts.providers.begin({ provider: 'corp', binding, callback });
    await expect(begun).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('that fails once is read again at the next sign-in, and Carnet starts without it', async () => {
    let isDown = true;
    const upstream = await openUpstream('corp');
    const test = await open({
      provider: upstreamOptions(upstream, { signUp: 'automatic' }),
      dependencies: {
        sendToProvider: async (request) => {
          if (isDown) throw new Error('unreachable');
          return upstream.send(request);
        },
      },
    });
    const begin = () => test.accounts.providers.begin({ provider: 'corp', binding, callback });
    await expect(begin()).rejects.toMatchObject({ code: 'unavailable' });
    isDown = false;
    expect(await begin()).toHaveProperty('url');
  });

  it('leaves no code, token, secret or state in the log and in the events', async () => {
    const seen: string[] = [];
    const upstream = await openUpstream('corp');
    const test = await open({
      provider: upstreamOptions(upstream, { signUp: 'automatic', clientSecret: 'a wrong secret of the client' }),
      dependencies: {
        sendToProvider: async (request) => {
          seen.push(...new URLSearchParams(request.body).values());
          return upstream.send(request);
        },
      },
    });
    const { accounts, lines, events } = test;
    const { url, cookie } = await accounts.providers.begin({ provider: 'corp', binding, callback }).catch(() => ({
      url: undefined,
      cookie: '',
    }));
    // The pushed request already fails with the wrong secret.
    expect(url).toBeUndefined();
    const state = seen.find((each) => each.endsWith(`.${binding}`)) ?? '';
    expect(state).not.toBe('');
    const answered = {
      provider: 'corp',
      binding,
      callback,
      cookie,
      answer: new URLSearchParams({ code: 'the-code', state }),
    };
    expect(await accounts.providers.finish({ ...answered, answer: answered.answer.toString() })).toEqual(expired);
    const log = JSON.stringify([lines, events]);
    for (const secret of [state, 'the-code', 'a wrong secret of the client']) expect(log).not.toContain(secret);
  });
});
