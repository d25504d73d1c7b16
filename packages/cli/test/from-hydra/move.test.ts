import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import bcrypt from 'bcryptjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bearerGrant, createAssertionIssuer } from '../../../provider/test/assertions.ts';
import { type Instance, start } from '../../../provider/test/harness.ts';
import type { Json } from '../../../provider/test/login.ts';
import { exitCodes } from '../../src/command.ts';
import { runCarnet } from '../run-carnet.ts';
import { exportedClients, exportedSecret } from './exported-clients.ts';

describe('a move from Hydra', () => {
  const folder = folderForTests();
  let instance: Instance;
  beforeAll(async () => {
    const subjectIdentifiers = {
      supportedTypes: ['public', 'pairwise'] as const,
      pairwise: { salt: 'a-salt-of-the-tests' },
    };
    instance = await start({ config: { oidc: { subjectIdentifiers } } as never });
  });
  afterAll(() => instance.stop());

  const file = (name: string, content: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  const carnet = async (argv: readonly string[], input: unknown = []) => {
    const env = { CARNET_ADMIN_URL: instance.admin };
    const { err, ...printed } = await runCarnet(argv, env, JSON.stringify(input));
    return { ...printed, err: err === '' ? [] : err.split('\n') };
  };
  const clientOf = async (id: string): Promise<Json> => {
    const response = await fetch(`${instance.admin}/admin/clients/${id}`);
    return (await response.json()) as Json;
  };
  const token = (form: Record<string, string>): Promise<Response> =>
    fetch(`${instance.issuer}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });

  test('of 200 varied clients imports each, or names it with the reason; --lenient imports all', {
    timeout: 120_000,
  }, async () => {
    const clients = exportedClients(200);
    const first = await carnet(['import', 'client', '--quiet'], { items: clients });
    const arrived = new Set(first.out.split('\n'));
    const refused = first.err.flatMap((line) => /^carnet: (\S+): POST .*: \S.{10,}/.exec(line)?.[1] ?? []);
    expect(arrived.size + refused.length).toBe(200);
    expect(refused.filter((id) => arrived.has(id))).toEqual([]);
    expect(arrived.size).toBeGreaterThan(90);

    const rest = clients.filter(({ client_id }) => !arrived.has(String(client_id)));
    const second = await carnet(['import', 'client', '--quiet', '--lenient'], rest);
    const late = second.out.split('\n').filter(Boolean);
    const still = second.err.filter((line) => line.startsWith('carnet: '));
    expect(late.length + still.length).toBe(rest.length);
    expect(still).toEqual([]);
    expect(arrived.size + late.length).toBe(200);
    // Each client that was refused has lost something, and the reason is said.
    for (const { client_id: id } of rest) {
      expect(second.err.some((line) => line.startsWith(`note: ${id}: left out `) && /: \S.{10,}$/.test(line))).toBe(
        true,
      );
    }
  });

  test('imports a file with one client in each line, and names a line that is wrong', async () => {
    const importLines = (lines: string) =>
      runCarnet(['import', 'client', '--quiet'], { CARNET_ADMIN_URL: instance.admin }, lines);
    const lines = '{"client_id": "line-1"}\n{"client_id": "line-2"}\n';
    expect((await importLines(lines)).out).toBe('line-1\nline-2');
    const wrong = await importLines('{"client_id": "line-3"}\n{"client_id": ');
    expect(wrong.exitCode).not.toBe(exitCodes.ok);
    expect(wrong.err).toContain('The standard input, line 2 is not valid JSON.');
  });

  test.each([
    ['an empty file', '', 'is empty.'],
    ['UTF-16, which Windows PowerShell writes', '\ufeff[{"client_id": "wide"}]', 'Save it as UTF-8.'],
    ['one page', '{"items": [{"client_id": "page"}], "is_last_page": false}', 'Export all pages.'],
    ['an export of Keycloak', '{"clientId": "a", "redirectUris": []}', 'Coming from Keycloak'],
  ])('registers nothing of a file with %s, and says why', async (_what, content, reason) => {
    const name = join(folder, 'refused.json');
    writeFileSync(name, content, content.startsWith('\ufeff') ? 'utf16le' : 'utf8');
    const { exitCode, out, err } = await carnet(['import', 'client', name]);
    expect([exitCode, out, err.join()]).toEqual([exitCodes.failed, '', expect.stringContaining(reason)]);
  });

  test('keeps secrets that are hashes, those that were rotated out among them', async () => {
    const [{ client_secret: current } = {}] = exportedClients(1);
    const client_secret = [current, bcrypt.hashSync('a-rotated-secret', 4)];
    const kept = { client_id: 'kept', grant_types: ['client_credentials'], client_secret };
    expect(await carnet(['import', 'client', '--quiet'], kept)).toMatchObject({ exitCode: exitCodes.ok, out: 'kept' });
    for (const secret of [exportedSecret, 'a-rotated-secret']) {
      const form = { grant_type: 'client_credentials', client_id: 'kept', client_secret: secret };
      expect((await token(form)).status).toBe(200);
    }
  });

  test('registers a public client without client_credentials, and says so', async () => {
    const both = { client_id: 'both', token_endpoint_auth_method: 'none', redirect_uris: ['https://a.test/cb'] };
    const grant_types = ['authorization_code', 'client_credentials'];
    const { exitCode, err } = await carnet(['import', 'client', '--quiet'], { ...both, grant_types });
    expect([exitCode, err]).toEqual([
      exitCodes.ok,
      ['note: both: left out client_credentials of grant_types: a client that does not authenticate can not use it'],
    ]);
    expect((await clientOf('both')).grant_types).toEqual(['authorization_code']);
  });

  test('--lenient leaves out the members and list items that are refused, and names each', async () => {
    const client = {
      client_id: 'partly',
      redirect_uris: ['not a URL', 'https://a.test/cb', 'https://a.test/#fragment'],
      logo_uri: 'not a URL',
    };
    const strict = await carnet(['import', 'client'], client);
    expect(strict.exitCode).toBe(exitCodes.failed);
    const { exitCode, err } = await carnet(['import', 'client', '--lenient'], client);
    expect([exitCode, err.filter((line) => line.startsWith('carnet: '))]).toEqual([exitCodes.ok, []]);
    expect(err.map((line) => /left out ([\w.]+): ./.exec(line)?.[1]).toSorted()).toEqual([
      'logo_uri',
      'redirect_uris.0',
      'redirect_uris.2',
    ]);
    expect(await clientOf('partly')).toMatchObject({ redirect_uris: ['https://a.test/cb'], logo_uri: '' });
  });

  test.each([
    ['openid "quoted" photos.read', 'openid photos.read', 'a part of scope'],
    ['schöne-scopes', ' ', 'scope, so that the client has none'],
    [7, ' ', 'scope, so that the client has none'],
    [`openid ${'x'.repeat(5_000)}`, 'openid', 'a part of scope'],
  ])('--lenient gives a client with the scope %j no default scopes', async (scope, kept, what) => {
    const client_id = `scope-${String(scope).length}`;
    const client = { client_id, client_secret: exportedSecret, grant_types: ['client_credentials'], scope };
    const { exitCode, err } = await carnet(['import', 'client', '--lenient'], client);
    expect(exitCode).toBe(exitCodes.ok);
    expect(err).toEqual([expect.stringContaining(`left out ${what}: `)]);
    expect((await clientOf(client_id)).scope).toBe(kept);
    const form = { grant_type: 'client_credentials', client_id, client_secret: exportedSecret };
    for (const denied of kept === ' ' ? ['openid', 'offline_access'] : ['offline_access'])
      expect((await (await token({ ...form, scope: denied })).json()) as Json).toMatchObject({
        error: 'invalid_scope',
      });
  });

  test('--lenient keeps the first 100 of 130 redirect URIs, without those that are refused', async () => {
    const uris = Array.from({ length: 130 }, (_, index) => `https://app.test/${index}`);
    const redirect_uris = ['not a URL', ...uris];
    const { exitCode, err } = await carnet(['import', 'client', '--lenient'], { client_id: 'many', redirect_uris });
    expect(exitCode).toBe(exitCodes.ok);
    expect(err).toEqual([`note: many: left out redirect_uris 1, 102 to 131: must not have more than 100 items`]);
    expect((await clientOf('many')).redirect_uris).toEqual(uris.slice(0, 100));
  });

  test.each([
    [
      { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'ES256' },
      { token_endpoint_auth_method: 'client_secret_basic' },
      ['token_endpoint_auth_method and token_endpoint_auth_signing_alg'],
    ],
    [
      { subject_type: 'pairwise', redirect_uris: ['https://one.test/cb', 'https://two.test/cb'] },
      { subject_type: 'public', redirect_uris: ['https://one.test/cb', 'https://two.test/cb'] },
      ['subject_type'],
    ],
    [
      {
        subject_type: 'pairwise',
        sector_identifier_uri: 'https://sector.invalid/s',
        redirect_uris: ['https://one.test/'],
      },
      { subject_type: 'pairwise', redirect_uris: ['https://one.test/'] },
      ['sector_identifier_uri'],
    ],
    [
      {
        grant_types: ['implicit', 'authorization_code'],
        response_types: ['code', 'id_token'],
        redirect_uris: ['http://localhost/'],
      },
      { grant_types: ['authorization_code'], response_types: ['code'], redirect_uris: ['http://localhost/'] },
      ['implicit of grant_types'],
    ],
  ])('--lenient resolves the contradictions of %j', async (members, expected, lost) => {
    const client_id = `contradicts-${lost[0]}`;
    const { exitCode, err } = await carnet(['import', 'client', '--lenient'], { client_id, ...members });
    expect([exitCode, err.filter((line) => line.startsWith('carnet: '))]).toEqual([exitCodes.ok, []]);
    expect(err.map((line) => /left out ([\w ]+?)[:,]/.exec(line)?.[1])).toEqual(lost);
    expect(await clientOf(client_id)).toMatchObject(expected);
  });

  test('trusts the issuers of its list, with the keys of a file', async () => {
    const [one, other] = [
      await createAssertionIssuer('https://one.test', 'k1'),
      await createAssertionIssuer('https://two.test', 'k2'),
    ];
    const listed = [one, other, { issuer: 'https://three.test', jwk: { kid: 'k3' } }].map(({ issuer, jwk }) => ({
      id: 'an-id-of-hydra',
      issuer,
      subject: '',
      allow_any_subject: true,
      scope: ['read'],
      public_key: { set: issuer, kid: jwk.kid },
      created_at: '2023-01-02T03:04:05Z',
      expires_at: new Date(Date.now() + 9e5).toISOString(),
    }));
    const keys = ['--keys', file('one.json', { keys: [one.jwk] }), '--keys', file('two.json', other.jwk)];
    const { exitCode, out, err } = await carnet([
      'import',
      'trusted-issuer',
      file('list.json', listed),
      ...keys,
      '--format',
      'json',
    ]);
    expect(exitCode).toBe(exitCodes.failed);
    expect(err).toEqual(['carnet: https://three.test: no file of --keys has the key k3.']);
    expect(JSON.parse(out).map(({ issuer }: Json) => issuer)).toEqual([one.issuer, other.issuer]);

    const { client_id, client_secret } = JSON.parse(
      (
        await carnet([
          'create',
          'client',
          '--grant-type',
          bearerGrant,
          '--scope',
          'read',
          '--token-endpoint-auth-method',
          'client_secret_post',
          '--format',
          'json',
        ])
      ).out,
    ) as Record<string, string>;
    const assertion = await other.sign(`${instance.issuer}/oauth2/token`);
    const answer = await token({
      grant_type: bearerGrant,
      assertion,
      scope: 'read',
      client_id: String(client_id),
      client_secret: String(client_secret),
    });
    expect(answer.status).toBe(200);
  });

  test('refuses to guess between two keys of one name', async () => {
    const [one, other] = [
      await createAssertionIssuer('https://a.test', 'same'),
      await createAssertionIssuer('https://b.test', 'same'),
    ];
    const listed = { issuer: one.issuer, allow_any_subject: true, public_key: { kid: 'same' } };
    const { err } = await carnet(
      ['import', 'trusted-issuer', '--keys', file('both.json', { keys: [one.jwk, other.jwk] })],
      listed,
    );
    expect(err).toEqual([expect.stringContaining('--keys has several keys with the kid same')]);
  });

  test('puts the one key that `hydra get jwk` prints into a set of its own', async () => {
    const { jwk } = await createAssertionIssuer('https://a.test', 'mine');
    expect(await carnet(['import', 'jwk', 'my-set', file('mine.json', jwk), '--quiet'])).toMatchObject({ out: 'mine' });
  });
});
