import { openMemoryAdapter } from '@carnet/adapter-memory';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBrowser, locationOf } from '../browser.ts';
import { registerClient, type TestClient } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { authorizationUrl, begin, headless, login, redeem } from '../login.ts';
import { deliveriesIn } from '../sign-out.ts';
import { codeAt, walk } from '../walk.ts';

let instance: Instance;
let client: TestClient;
/** Run when a login is about to take the place of another. */
let before: (() => Promise<void>) | undefined;

beforeAll(async () => {
  const memory = openMemoryAdapter();
  instance = await start({
    adapter: {
      ...memory,
      commit: async (writes) => {
        const takesPlace = ['consume', 'claim'].every((type) =>
          writes.some((write) => write.type === type && JSON.stringify(write).includes('"session"')),
        );
        if (takesPlace) await before?.();
        return memory.commit(writes);
      },
    },
  });
  client = await registerClient(instance, 'app');
});
afterAll(() => instance.stop());

test.each(['bob', 'alice'])(
  'a session that ends elsewhere while %s logs in, in its place, keeps nobody out',
  async (subject) => {
    const browser = createBrowser();
    const remember = { remember: true };
    await login(instance, client, { browser, login: remember });
    const former = browser.cookies.get('carnet_session')?.split('.')[0];
    let times = 0;
    before = async () => {
      times += 1;
      before = undefined;
      await fetch(`${instance.admin}/admin/oauth2/auth/sessions/login?sid=${former}`, { method: 'DELETE' });
    };
    const flow = await walk(instance, client, { browser, subject, login: remember, params: { prompt: 'login' } });
    const code = await codeAt(browser, flow.consentUrl);
    expect(times).toBe(1);
    expect((await redeem(instance, client, code)).status).toBe(200);
    const challenge = await begin(browser, authorizationUrl(instance, client));
    expect((await headless(instance, 'GET', `login?login_challenge=${challenge}`)).body).toMatchObject({
      skip: true,
      subject,
    });
    expect(locationOf(await browser.get(authorizationUrl(instance, client))).searchParams.has('login_challenge')).toBe(
      true,
    );
    expect(await deliveriesIn(instance.adapter)).toEqual([]);
  },
);
