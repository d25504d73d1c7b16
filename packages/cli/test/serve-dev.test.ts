import { expect, test } from 'vitest';
import { locationOf } from '../../provider/test/browser.ts';
import { redirectUri } from '../../provider/test/clients.ts';
import {
  authorizationUrl,
  begin,
  decideAll,
  headless,
  introspect,
  redeem,
  refresh,
} from '../../provider/test/login.ts';
import { browserAt } from '../../provider/test/stores/provider-process.ts';
import { main, startProgram, temporaryFolder } from './start-program.ts';

/** Of dev mode; the listeners are elsewhere. */
const issuer = 'http://127.0.0.1:4444';
const env = { ISSUER: issuer, PORT: '0', ADMIN_PORT: '0', ALLOWED_HOSTS: '127.0.0.1:*' };

const serve = async (folder: string) => {
  const program = startProgram(main, ['serve', '--dev'], env, folder);
  const { publicUrl, adminUrl } = JSON.parse(await program.line('"msg":"ready"'));
  const kill = async (): Promise<void> => {
    program.child.kill('SIGKILL');
    await program.exited;
  };
  return { issuer: publicUrl as string, admin: adminUrl as string, kill };
};

test('what `carnet serve --dev` was told survives a kill -9: the client, its tokens, and who is logged in', async () => {
  const folder = temporaryFolder();
  const before = await serve(folder);
  const registered = await fetch(`${before.admin}/admin/clients`, {
    method: 'POST',
    body: JSON.stringify({
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid offline_access profile',
    }),
  });
  const { client_id: id, client_secret: secret } = (await registered.json()) as {
    client_id: string;
    client_secret: string;
  };
  const client = { id, secret };
  const browser = browserAt(before.issuer, new Map(), issuer);
  const challenge = await begin(browser, authorizationUrl(before, client));
  const end = await decideAll(before, browser, challenge, { login: { remember: true } });
  const code = locationOf(await browser.get(end)).searchParams.get('code') ?? '';
  const { body: tokens } = await redeem(before, client, code);
  await before.kill();

  const after = await serve(folder);
  expect(await (await fetch(`${after.admin}/admin/clients/${id}`)).json()).toMatchObject({ client_id: id });
  expect(await introspect(after, tokens.access_token)).toMatchObject({ active: true, sub: 'alice' });
  expect((await refresh(after, client, tokens.refresh_token)).status).toBe(200);
  const again = await begin(browserAt(after.issuer, browser.cookies, issuer), authorizationUrl(after, client));
  const { body } = await headless(after, 'GET', `login?login_challenge=${again}`);
  expect(body).toMatchObject({ skip: true, subject: 'alice' });
});

test('`carnet serve --dev` has a demo user, and a sign-up whose email is shown in the output', async () => {
  const { line } = startProgram(main, ['serve', '--dev'], env);
  expect(await line('demo@example.com')).toContain('carnet-demo');
  const { adminUrl } = JSON.parse(await line('"msg":"ready"'));
  const call = async (operation: string, input: object) => {
    const body = JSON.stringify(input);
    const response = await fetch(`${adminUrl}/admin/accounts/${operation}`, { method: 'POST', body });
    return (await response.json()) as Record<string, unknown>;
  };
  const binding = 'a login challenge';
  const demo = { login: 'demo@example.com', password: 'carnet-demo', binding };
  expect(await call('sign-in/password', demo)).toMatchObject({ state: 'done', claims: { name: 'Dana Moreno' } });

  const [email, password] = ['new@example.com', 'a password of the tests'];
  const request = { email, password, link_base: 'http://localhost:3000/sign-up/confirm' };
  const { proof } = await call('sign-up/request', request);
  const link = new URL(/http\S+/.exec(await line('http://localhost:3000/sign-up/confirm?token='))?.[0] ?? '');
  expect(await call('sign-up/confirm', { token: link.searchParams.get('token'), proof })).toMatchObject({ ok: true });
  expect(await call('sign-in/password', { login: email, password, binding })).toMatchObject({ state: 'done' });
});
