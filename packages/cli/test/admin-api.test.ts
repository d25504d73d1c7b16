import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { listen } from '@carnet/test-servers/listen';
import { describe, expect, test } from 'vitest';
import { start } from '../../provider/test/harness.ts';
import { exitCodes } from '../src/command.ts';
import { runCarnet } from './run-carnet.ts';

const adminToken = 'an-admin-token-of-the-tests';

const configured = { client_id: 'fixed', client_secret: 'a secret of the tests' };

describe('the command at a running server', () => {
  const folder = folderForTests();
  const instance = beforeTests(() => start({ config: { admin: { token: adminToken }, clients: [configured] } }));

  const closedPort = async (): Promise<string> => {
    const { origin, close } = await listen(() => {});
    await close();
    return origin;
  };

  const carnet = (argv: readonly string[], env: Record<string, string> = {}, input = '') => {
    const own = { CARNET_ADMIN_URL: instance.admin, CARNET_URL: instance.issuer, ADMIN_TOKEN: adminToken };
    return runCarnet(argv, { ...own, ...env }, input);
  };
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  test('sends the token of a variable, or of a file', async () => {
    expect(await carnet(['list', 'clients'])).toMatchObject({ exitCode: exitCodes.ok, err: '' });
    const withFile = ['list', 'clients', '--token-file', file('token', `${adminToken}\n`)];
    expect(await carnet(withFile, { ADMIN_TOKEN: '' })).toMatchObject({ exitCode: exitCodes.ok });
    expect(
      await carnet(['list', 'clients'], { ADMIN_TOKEN: '', ADMIN_TOKEN_FILE: join(folder, 'token') }),
    ).toMatchObject({
      exitCode: exitCodes.ok,
    });
  });

  test.each([
    ['no token', { ADMIN_TOKEN: '' }, 'Set ADMIN_TOKEN or --token-file.'],
    ['another token', { ADMIN_TOKEN: 'another-token-altogether' }, 'is not that of the server'],
  ])('says in one line what is wrong with %s, and no secret', async (_what, env, problem) => {
    const { exitCode, out, err } = await carnet(['list', 'clients'], env);
    expect([exitCode, out]).toEqual([exitCodes.failed, '']);
    expect(err.split('\n')).toEqual([expect.stringContaining(problem)]);
    expect(err).toContain('The request could not be authorized');
    expect(err).not.toContain(adminToken);
    expect(err).not.toContain('another-token');
  });

  test('shows which clients only the configuration changes, and why one of them is not changed', async () => {
    const note = 'Read-only, in the configuration of the server: fixed (clients.0)';
    expect((await carnet(['get', 'client', 'fixed'])).out).toContain(note);
    expect((await carnet(['list', 'clients'])).out).toContain(note);
    expect(JSON.parse((await carnet(['get', 'client', 'fixed', '--format', 'json'])).out)).toMatchObject({
      client_id: 'fixed',
      configuration_key: 'clients.0',
    });
    for (const argv of [
      ['update', 'client', 'fixed', '--name', 'other'],
      ['delete', 'client', 'fixed'],
    ])
      expect(await carnet(argv)).toMatchObject({
        exitCode: exitCodes.failed,
        err: expect.stringMatching(/The client fixed is part of the configuration of the server \(clients\.0\)/),
      });
  });

  test('says so when nothing is there', async () => {
    const endpoint = await closedPort();
    for (const command of [
      ['list', 'clients'],
      ['perform', 'client-credentials', '--client-id', 'a'],
    ]) {
      const { exitCode, err } = await carnet([...command, '--endpoint', endpoint]);
      expect([exitCode, err]).toEqual([exitCodes.failed, expect.stringContaining(endpoint)]);
      expect(err).toContain('ECONNREFUSED');
    }
  });

  test('names the port that is taken', async () => {
    const { port } = new URL(instance.issuer);
    const { exitCode, err } = await carnet(['perform', 'authorization-code', '--client-id', 'a', '--port', port]);
    expect([exitCode, err]).toEqual([exitCodes.failed, expect.stringContaining('Choose another with --port')]);
  });

  test('takes no redirect: the token would go along', async () => {
    const seen: unknown[] = [];
    const { origin, close } = await listen((request, response) => {
      seen.push(request.url);
      response.writeHead(307, { Location: '/elsewhere' }).end();
    });
    const { exitCode } = await carnet(['list', 'clients', '--endpoint', origin]);
    await close();
    expect([exitCode, seen]).toEqual([exitCodes.failed, ['/admin/clients']]);
  });

  test('shows a secret where it is made, and nowhere else', async () => {
    const secretFile = file('secret', 'a-secret-of-a-file\n');
    const made = await carnet(['create', 'client', '--id', 'a', '--secret-file', secretFile, '--format', 'json']);
    expect(JSON.parse(made.out)).toMatchObject({
      client_id: 'a',
      client_secret: 'a-secret-of-a-file',
      grant_types: ['authorization_code'],
      response_types: ['code'],
    });
    const updated = await carnet(['update', 'client', 'a', '--secret-file', secretFile, '--owner', 'me']);
    expect(updated.exitCode).toBe(exitCodes.ok);
    expect(`${updated.out}${(await carnet(['get', 'client', 'a'])).out}`).not.toContain('a-secret-of-a-file');
  });

  test('changes what is named and nothing else, or sets all of it anew', async () => {
    await carnet(['create', 'client', '--id', 'b', '--scope', 'read,write', '--owner', 'me', '--skip-consent']);
    const get = async () => JSON.parse((await carnet(['get', 'client', 'b', '--format', 'json'])).out);
    expect(await get()).toMatchObject({ scope: 'read write', owner: 'me', skip_consent: true });
    await carnet(['update', 'client', 'b', '--owner', 'you']);
    expect(await get()).toMatchObject({ scope: 'read write', owner: 'you', skip_consent: true });
    await carnet(['update', 'client', 'b', '--replace', '--owner', 'them']);
    expect(await get()).toMatchObject({ scope: 'offline_access offline openid', owner: 'them', skip_consent: false });
  });

  test('lists page by page, and all pages', async () => {
    for (const id of ['p1', 'p2', 'p3']) await carnet(['create', 'client', '--id', id, '--owner', 'pages']);
    const list = ['list', 'clients', '--owner', 'pages', '--page-size', '2', '--format', 'json'];
    const first = JSON.parse((await carnet(list)).out);
    expect([first.items.length, first.is_last_page]).toEqual([2, false]);
    const second = JSON.parse((await carnet([...list, '--page-token', first.next_page_token])).out);
    expect([second.items.length, second.is_last_page]).toEqual([1, true]);
    expect((await carnet([...list.slice(0, -2), '--all', '--quiet'])).out.split('\n').toSorted()).toEqual([
      'p1',
      'p2',
      'p3',
    ]);
  });

  test('imports what can be imported, says what can not, and ends with 1 then', async () => {
    const clients = JSON.stringify({ items: [{ client_id: 'i1' }, { client_id: 'a' }, { client_id: 'i2' }] });
    const { exitCode, out, err } = await carnet(['import', 'client', '--quiet'], {}, clients);
    expect([exitCode, out]).toEqual([exitCodes.failed, 'i1\ni2']);
    expect(err).toMatch(/^carnet: a: POST \/admin\/clients: .* exists already/);
  });

  test.each([
    ['what is no JSON', '{', 'The standard input is not valid JSON'],
    ['what is no client', '[1]', 'must hold an object, or a list of objects'],
  ])('refuses to import %s', async (_what, input, problem) => {
    const { exitCode, err } = await carnet(['import', 'client'], {}, input);
    expect([exitCode, err]).toEqual([exitCodes.failed, expect.stringContaining(problem)]);
  });

  test('prints nothing that a terminal obeys', async () => {
    await carnet(['create', 'client', '--id', 'c', '--audience', 'https://api.test']);
    const { out } = await carnet(['get', 'client', 'c']);
    expect(out).toMatch(/^CLIENT ID +c$/m);
    expect(out).not.toMatch(/\p{Cc}(?<!\n)/u);
  });

  test.each([
    [['import', 'client'], { client_id: '\u001b]0;title\u0007evil', token_endpoint_auth_method: '\u001b[2J' }],
    [['import', 'trusted-issuer'], { issuer: '\u001b[2Jevil\u009b2J', public_key: { kid: '\u001b[31m' } }],
  ])('%j prints nothing of a file that a terminal obeys', async (argv, exported) => {
    const { exitCode, err } = await carnet(argv, {}, JSON.stringify([exported]));
    expect([exitCode, err]).toEqual([exitCodes.failed, expect.stringContaining('evil')]);
    expect(err).not.toMatch(/\p{Cc}(?<!\n)/u);
  });

  test.each([
    ['no client', ['perform', 'client-credentials'], exitCodes.usage, 'Name the client'],
    [
      'plain http elsewhere',
      ['revoke', 'token', 't', '--client-id', 'a', '-e', 'http://op.example'],
      exitCodes.failed,
      "op.example can't be used as an issuer",
    ],
    [
      'a wrong secret',
      ['perform', 'client-credentials', '--client-id', 'a', '--client-secret', 'wrong-secret'],
      exitCodes.failed,
      'invalid_client',
    ],
  ])('says what is wrong with %s as a client', async (_what, argv, expected, problem) => {
    const { exitCode, err } = await carnet(argv);
    expect([exitCode, err]).toEqual([expected, expect.stringContaining(problem)]);
    expect(err).not.toContain('wrong-secret');
  });
});
