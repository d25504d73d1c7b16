import { beforeAll, describe, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { createBrowser, locationOf } from '../browser.ts';
import { registerClient, type TestClient } from '../clients.ts';
import { authorizationUrl, begin, decideAll, redeem } from '../login.ts';

interface Shown {
  readonly sid: string;
  readonly place: { readonly address?: string; readonly user_agent?: string };
  readonly clients: readonly { readonly client_id: string; readonly client_name?: string }[];
}

describe('the sessions of a user', () => {
  const instance = startBeforeTests({ config: { http: { trustedProxies: ['127.0.0.1'] } } });
  const clients = new Map<string, TestClient>();

  beforeAll(async () => {
    clients.set('shop', await registerClient(instance, 'shop', { client_name: 'The shop' }));
    clients.set('wiki', await registerClient(instance, 'wiki'));
  });

  const path = '/admin/oauth2/auth/sessions/login';
  const list = async (subject: string, more = ''): Promise<readonly Shown[]> => {
    const response = await fetch(`${instance.admin}${path}?subject=${subject}${more}`);
    expect(response.status).toBe(200);
    return (await response.json()) as readonly Shown[];
  };

  const signIn = async (browser: ReturnType<typeof createBrowser>, id: string, subject: string) => {
    const client = clients.get(id) as TestClient;
    const challenge = await begin(browser, authorizationUrl(instance, client));
    const login = { subject, remember: true, acr: 'urn:carnet:1fa', amr: ['pwd'] };
    const url = await decideAll(instance, browser, challenge, { login });
    await redeem(instance, client, locationOf(await browser.get(url)).searchParams.get('code') ?? '');
  };

  test('are listed with the time, the class and the clients of each browser', async () => {
    const [laptop, phone] = [createBrowser(), createBrowser()];
    await signIn(laptop, 'shop', 'alice');
    await signIn(laptop, 'wiki', 'alice');
    await signIn(phone, 'shop', 'alice');
    await signIn(createBrowser(), 'shop', 'bob');
    const sessions = await list('alice');
    expect(sessions.map(({ clients }) => clients.map(({ client_id }) => client_id).sort()).sort()).toEqual([
      ['shop'],
      ['shop', 'wiki'],
    ]);
    for (const session of sessions)
      expect(session).toMatchObject({
        subject: 'alice',
        acr: 'urn:carnet:1fa',
        amr: ['pwd'],
        place: { address: '127.0.0.1' },
      });
    expect(sessions[0]?.clients).toContainEqual({ client_id: 'shop', client_name: 'The shop' });
    const inProcess = await instance.carnet.sessions.list({ subject: 'alice' });
    expect(inProcess.items.map(({ sid }) => sid).sort()).toEqual(sessions.map(({ sid }) => sid).sort());
  });

  test('are no longer listed once they have ended', async () => {
    const browser = createBrowser();
    await signIn(browser, 'shop', 'carol');
    await signIn(createBrowser(), 'shop', 'carol');
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
