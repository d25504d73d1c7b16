import { describe, expect, test } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { createBrowser } from '../browser.ts';
import type { TestClient } from '../clients.ts';
import { login } from '../login.ts';

interface Shown {
  readonly sid: string;
  readonly place: { readonly address?: string; readonly user_agent?: string };
  readonly clients: readonly { readonly client_id: string; readonly client_name?: string }[];
}

describe('the sessions of a user', () => {
  const instance = startBeforeTests({ config: { http: { trustedProxies: ['127.0.0.1'] } } });
  const shop = registerBeforeTests(instance, 'shop', { client_name: 'The shop' });
  const wiki = registerBeforeTests(instance, 'wiki');

  const path = '/admin/oauth2/auth/sessions/login';
  const list = async (subject: string, more = ''): Promise<readonly Shown[]> => {
    const response = await fetch(`${instance.admin}${path}?subject=${subject}${more}`);
    expect(response.status).toBe(200);
    return (await response.json()) as readonly Shown[];
  };

  const signIn = (browser: ReturnType<typeof createBrowser>, client: TestClient, subject: string) =>
    login(instance, client, { browser, login: { subject, remember: true, acr: 'urn:carnet:1fa', amr: ['pwd'] } });

  test('are listed with the time, the class and the clients of each browser', async () => {
    const [laptop, phone] = [createBrowser(), createBrowser()];
    await signIn(laptop, shop, 'alice');
    await signIn(laptop, wiki, 'alice');
    await signIn(phone, shop, 'alice');
    await signIn(createBrowser(), shop, 'bob');
    const sessions = await list('alice');
    expect(sessions.map(({ clients }) => clients.map(({ client_id }) => client_id).sort()).sort()).toEqual([
      ['shop'],
      ['shop', 'wiki'],
    ]);
    const expected = { subject: 'alice', acr: 'urn:carnet:1fa', amr: ['pwd'], place: { address: '127.0.0.1' } };
    for (const session of sessions) expect(session).toMatchObject(expected);
    expect(sessions[0]?.clients).toContainEqual({ client_id: 'shop', client_name: 'The shop' });
    const inProcess = await instance.carnet.sessions.list({ subject: 'alice' });
    expect(inProcess.items.map(({ sid }) => sid).sort()).toEqual(sessions.map(({ sid }) => sid).sort());
  });

  test('are no longer listed once they have ended', async () => {
    const browser = createBrowser();
    await signIn(browser, shop, 'carol');
    await signIn(createBrowser(), shop, 'carol');
    const [first, second] = await list('carol');
    await fetch(`${instance.admin}${path}?sid=${first?.sid}`, { method: 'DELETE' });
    expect((await list('carol')).map(({ sid }) => sid)).toEqual([second?.sid]);
    await fetch(`${instance.admin}${path}?subject=carol`, { method: 'DELETE' });
    expect(await list('carol')).toEqual([]);
  });

  test('need a subject', async () => {
    expect((await fetch(`${instance.admin}${path}`)).status).toBe(400);
  });
});
