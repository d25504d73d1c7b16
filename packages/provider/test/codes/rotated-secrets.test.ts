import { openMemoryAdapter } from '@carnet/adapter-memory';
import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests, startInTest } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { type Instance, testSecret } from '../harness.ts';
import { authorizationUrl, challengeIn, headless, type Json, redeem, refresh } from '../login.ts';
import { pageOf, through } from '../walk.ts';

const newSecret = 'a newer system secret of the tests, long enough';

/** Section B: secrets are changed while people log in. */
describe('rotating secrets.system', () => {
  const adapter = openMemoryAdapter();
  const first = startBeforeTests({ adapter });
  const client = registerBeforeTests(first, 'app');

  /** Another process of the same issuer and store. */
  const startWith = (...system: string[]): Promise<Instance> =>
    startInTest({
      adapter,
      config: { issuer: first.issuer, http: { allowedHosts: ['127.0.0.1:*'] }, secrets: { system } },
    });

  /** The steps of a login; each is carried out by the process that `next` says. */
  const logIn = async (next: () => Instance, login: Json = {}) => {
    const browser = createBrowser();
    const get = (url: string) => browser.get(through(next(), url));
    const accept = async (what: 'login' | 'consent', response: Response, body: object): Promise<string> => {
      const challenge = challengeIn(response, what);
      const request = await headless(next(), 'GET', `${what}?${what}_challenge=${challenge}`);
      expect(request.status).toBe(200);
      const answer = await headless(next(), 'PUT', `${what}/accept?${what}_challenge=${challenge}`, body);
      return String(answer.body.redirect_to);
    };
    const toConsent = await accept('login', await get(authorizationUrl(first, client)), { subject: 'alice', ...login });
    const grant = { grant_scope: ['openid', 'offline_access'] };
    const end = locationOf(await get(await accept('consent', await get(toConsent), grant)));
    const tokens = await redeem(next(), client, end);
    return { browser, tokens, refreshed: await refresh(next(), client, tokens.body.refresh_token) };
  };
  const steps = 9;

  const expectLogin = ({ tokens, refreshed }: Awaited<ReturnType<typeof logIn>>): void => {
    expect([tokens.status, refreshed.status]).toEqual([200, 200]);
  };

  test('in the middle of flows: wherever the new process with [new, old] takes over, none fails', async () => {
    const second = await startWith(newSecret, testSecret);
    for (let takeover = 0; takeover <= steps; takeover++) {
      let step = 0;
      expectLogin(await logIn(() => (step++ < takeover ? first : second)));
    }
  });

  test('a rolling restart of two processes, with the secrets in either order: none of all ways through them fails', async () => {
    const processes = [await startWith(testSecret, newSecret), await startWith(newSecret, testSecret)] as const;
    for (let way = 0; way < 2 ** steps; way += 3) {
      let step = 0;
      expectLogin(await logIn(() => processes[((way >> step++) & 1) as 0 | 1]));
    }
  });

  test('a remembered login outlives the change, and so does the way back to it', async () => {
    const { browser } = await logIn(() => first, { remember: true });
    const second = await startWith(newSecret, testSecret);
    const begun = await browser.get(through(second, authorizationUrl(first, client)));
    const { body } = await headless(second, 'GET', `login?login_challenge=${challengeIn(begun, 'login')}`);
    expect(body).toMatchObject({ skip: true, subject: 'alice' });
  });

  test('a refresh and its retry at the other process, within the grace period, give one successor that works', async () => {
    const processes = [await startWith(testSecret, newSecret), await startWith(newSecret, testSecret)] as const;
    const { refreshed } = await logIn(() => first);
    const token = refreshed.body.refresh_token;
    const answers = [await refresh(processes[0], client, token), await refresh(processes[1], client, token)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body.refresh_token).toBe(answers[0]?.body.refresh_token);
    expect((await refresh(processes[1], client, answers[1]?.body.refresh_token)).status).toBe(200);
  });

  test('when the old secret is gone, what it sealed is like anything else that does not open', async () => {
    const begun = await createBrowser().get(authorizationUrl(first, client));
    const challenge = challengeIn(begun, 'login');
    const third = await startWith(newSecret);
    const unknown = await headless(third, 'GET', 'login?login_challenge=anything');
    const gone = await headless(third, 'GET', `login?login_challenge=${challenge}`);
    expect([gone.status, gone.text]).toEqual([404, unknown.text]);
    const { body } = await headless(first, 'PUT', `login/accept?login_challenge=${challenge}`, { subject: 'alice' });
    expect(await pageOf(await createBrowser().get(through(third, String(body.redirect_to))))).toMatch(/^400 /);
  });
});
