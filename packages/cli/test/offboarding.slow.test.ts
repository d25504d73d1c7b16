import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, openTestPostgres, openTestRedis } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { expect, test } from 'vitest';
import { createAda, password } from '../../provider/test/accounts/start-accounts.ts';
import { createBrowser } from '../../provider/test/browser.ts';
import { adminClients, sendJson, userinfo } from '../../provider/test/call.ts';
import { redirectUri } from '../../provider/test/clients.ts';
import { askLogin, introspect, login, refresh } from '../../provider/test/login.ts';
import { main, startProgram, temporaryFolder } from './start-program.ts';

const postgres = beforeTests(openTestPostgres);

interface Served {
  readonly issuer: string;
  readonly admin: string;
}

/** `carnet serve` with two workers. */
const serve = async (env: Readonly<Record<string, string>>, cwd: string): Promise<Served> => {
  const settings = { ADMIN_PORT: String(await findFreePort()), ...env };
  const program = startProgram(main, ['serve', '--dev', '--workers', '2'], settings, cwd);
  const { publicUrl, adminUrl } = JSON.parse(await program.line('"msg":"ready"'));
  return { issuer: publicUrl, admin: adminUrl };
};

/** Two processes of one issuer: they share the folder with the keys and secrets, the store and the users. */
const serveTwo = async (env: Readonly<Record<string, string>>): Promise<readonly [Served, Served]> => {
  const cwd = temporaryFolder();
  const [one, other] = [String(await findFreePort()), String(await findFreePort())];
  const shared = {
    ...{ ISSUER: `http://127.0.0.1:${one}`, ALLOWED_HOSTS: '127.0.0.1:*' },
    ...{ ACCOUNTS_DIRECTORIES: '[{"name":"users","kind":"sql"}]', ...env },
  };
  return [await serve({ ...shared, PORT: one }, cwd), await serve({ ...shared, PORT: other }, cwd)];
};

const client = { id: 'app', secret: 'a secret of the app, long enough' };

interface Use {
  readonly place: string;
  readonly at: number;
  readonly isAccepted: boolean;
}

/** Uses the tokens 50 times a second, at both endpoints of both processes in turn, until stopped. */
const startUsing = (served: readonly Served[], tokens: readonly unknown[]) => {
  const places = served.flatMap((each, index) => [
    { name: `userinfo ${index}`, use: async (token: unknown) => (await userinfo(each, token)).status === 200 },
    { name: `introspection ${index}`, use: async (token: unknown) => (await introspect(each, token)).active === true },
  ]);
  const uses: Promise<Use>[] = [];
  const timer = setInterval(() => {
    const { name, use } = places[uses.length % places.length] ?? {};
    const at = performance.now();
    const token = tokens[uses.length % tokens.length];
    if (use !== undefined) uses.push(use(token).then((isAccepted) => ({ place: `${name}`, at, isAccepted })));
  }, 20);
  return async (): Promise<readonly Use[]> => {
    clearInterval(timer);
    return Promise.all(uses);
  };
};

const placesIn = (uses: readonly Use[]): readonly string[] => [...new Set(uses.map(({ place }) => place))].toSorted();

const everywhere = ['introspection 0', 'introspection 1', 'userinfo 0', 'userinfo 1'];

const stores = {
  'in Postgres': async () => ({}),
  'with tokens, sessions and consents in Redis': async () => {
    const url = await openTestRedis();
    return { STORAGE_TOKENS: url, STORAGE_SESSIONS: url, STORAGE_CONSENTS: url };
  },
};

test.each(Object.entries(stores))(
  'a user who is disabled has no access at any worker of two processes after a second, %s',
  async (_store, open) => {
    const accounts = await postgres.createDatabase();
    const subject = `users.${await createAda(accounts)}`;
    const env = { DATABASE_URL: await postgres.createDatabase(), ACCOUNTS_DATABASE: accounts, ...(await open()) };
    const served = await serveTwo(env);
    const [first, second] = served;
    const registered = await adminClients(first, 'POST', '', {
      ...{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] },
      ...{ grant_types: ['authorization_code', 'refresh_token'], scope: 'openid offline_access profile' },
    });
    expect(registered.status).toBe(201);
    const browser = createBrowser();
    const tokens = [await login(first, client, { browser, subject, login: { remember: true } })];
    for (let index = 0; index < 4; index += 1) tokens.push(await login(first, client, { subject }));
    const stop = startUsing(
      served,
      tokens.map(({ access_token }) => access_token),
    );
    await delay(1_500);
    const disabledAt = performance.now();
    expect((await sendJson('POST', `${first.admin}/admin/users/${subject}/disable`)).status).toBe(200);
    await delay(2_500);
    const uses = await stop();
    const before = uses.filter(({ at }) => at < disabledAt - 200);
    expect(placesIn(before)).toEqual(everywhere);
    expect(before.filter(({ isAccepted }) => !isAccepted)).toEqual([]);
    const later = uses.filter(({ at }) => at > disabledAt + 1_000);
    expect(placesIn(later)).toEqual(everywhere);
    expect(later.filter(({ isAccepted }) => isAccepted)).toEqual([]);
    for (const each of [second, first]) {
      for (const { refresh_token } of tokens) expect((await refresh(each, client, refresh_token)).status).toBe(400);
      const input = { login: 'ada@example.com', password, binding: 'challenge' };
      const signedIn = await sendJson('POST', `${each.admin}/admin/accounts/sign-in/password`, input);
      expect(signedIn.body).toEqual({ state: 'refused' });
    }
    expect((await askLogin(first, client, { browser })).skip).toBe(false);
  },
  120_000,
);
