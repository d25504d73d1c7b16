import { openMemoryAdapter } from '@carnet/adapter-memory';
import { expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import { askLogin, login, redeem } from '../login.ts';
import { deliveriesIn } from '../sign-out.ts';
import { codeAt, walk } from '../walk.ts';

/** Run when a login is about to take the place of another. */
let before: (() => Promise<void>) | undefined;

const memory = openMemoryAdapter();
const instance = startBeforeTests({
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
const client = registerBeforeTests(instance, 'app');

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
    for (const _again of [1, 2])
      expect(await askLogin(instance, client, { browser })).toMatchObject({ skip: true, subject });
    expect(await deliveriesIn(instance.adapter)).toEqual([]);
  },
);
