import type { StorageAdapter } from '@carnet/adapter-contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLiveSession } from '../../src/sessions/session-record.ts';
import type { Browser } from '../browser.ts';
import { acceptLogin, authorizationUrl, begin, challengeIn, redeem } from '../login.ts';
import { clients } from '../threat-target.ts';
import { codeAt, walk } from '../walk.ts';
import { issuer, type ProviderProcess, startProvider } from './provider-process.ts';
import { openTestStore, startServers, type TestStore, testStores } from './test-stores.ts';
import { registerClients } from './token-requests.ts';

const { app } = clients;
const remember = { remember: true, remember_for: 3_600 };

/** A browser in a session, whose next request is the login verifier of a user. */
interface Case {
  readonly subject: string;
  readonly former: string;
  /** A code of the former session, on its way. */
  readonly code: string;
  readonly browser: Browser;
  readonly loginUrl: string;
}

beforeAll(startServers);

describe.each(Object.entries(testStores))(
  'a provider killed while it writes a remembered login, on %s',
  (name, start) => {
    let store: TestStore;
    let adapter: StorageAdapter;
    let survivor: ProviderProcess;
    let users = 0;

    beforeAll(async () => {
      store = await start();
      survivor = await startProvider({ ...store, hasFaultPoints: true });
      adapter = await openTestStore(store);
      await registerClients(adapter, survivor);
    });
    afterAll(async () => {
      await survivor?.kill();
      await adapter?.close();
    });

    const liveSessionsOf = async (subject: string) =>
      (await adapter.list({ kind: 'session', subject, limit: 500 })).records.filter(isLiveSession);

    const prepare = async (isSameUser: boolean): Promise<Case> => {
      const subject = `user ${users++} of ${name}`;
      const former = isSameUser ? subject : `user ${users++} of ${name}`;
      const browser = survivor.browser();
      const flow = await walk(survivor, app, { browser, subject: former, login: remember });
      const code = await codeAt(browser, flow.consentUrl);
      const challenge = await begin(browser, authorizationUrl(survivor, app, { prompt: 'login' }));
      const loginUrl = await acceptLogin(survivor, challenge, { subject, ...remember });
      return { subject, former, code, browser, loginUrl };
    };

    const send = (at: ProviderProcess, { browser, loginUrl }: Case, headers: Record<string, string>) => {
      const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
      return fetch(loginUrl.replace(issuer, at.issuer), { redirect: 'manual', headers: { cookie, ...headers } });
    };

    test.each([
      ['the same user', true],
      ['another user', false],
    ])(
      'at any step, in the place of a session of %s: the browser that retries has the one session',
      async (_of, isSame) => {
        const trial = await send(survivor, await prepare(isSame), { 'x-case': 'trial' });
        const steps = JSON.parse(trial.headers.get('x-steps') ?? '[]') as string[];
        expect(steps).toEqual(expect.arrayContaining(['before commit 1', 'during commit 1', 'after commit 1']));
        const victim = await startProvider({ ...store, hasFaultPoints: true });
        const cases = await Promise.all(steps.map(async (step) => ({ step, ...(await prepare(isSame)) })));
        const death = victim.dieWith(cases.length);
        const answers = cases.map((each) =>
          send(victim, each, { 'x-case': each.step, 'x-stop-at': each.step }).catch(() => undefined),
        );
        await Promise.all([death, ...answers]);
        const outcomes = await Promise.all(
          cases.map(async ({ step, browser, loginUrl, subject, former, code }) => {
            challengeIn(await browser.get(loginUrl), 'consent');
            const live = [(await liveSessionsOf(subject)).length, isSame ? 0 : (await liveSessionsOf(former)).length];
            const { status } = await redeem(survivor, app, code);
            return { step, live, status };
          }),
        );
        expect(outcomes.map(({ step, live }) => ({ step, live }))).toEqual(
          steps.map((step) => ({ step, live: [1, 0] })),
        );
        // Where a commit is atomic for one record only, a process may end between the former session and its successor:
        // the code is refused then.
        const isAtomic = adapter.capabilities.atomicCommit === 'all';
        const expected = isSame ? (isAtomic ? [200] : [200, 400]) : [400];
        for (const { step, status } of outcomes) expect(expected, step).toContain(status);
      },
    );
  },
);
