import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SlapdServer, startSlapd } from '@carnet/test-servers';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCarnet } from './run-carnet.ts';
import { main, startProgram } from './start-program.ts';

const folder = folderForTests();
let slapd: SlapdServer;
beforeAll(async () => {
  slapd = await startSlapd();
  writeFileSync(join(folder, 'ca.pem'), slapd.ca);
});
afterAll(() => slapd?.close());

const staff = (changes: object = {}) => ({
  name: 'staff',
  kind: 'ldap',
  urls: [slapd.tlsUrl],
  caFile: join(folder, 'ca.pem'),
  bindDn: slapd.reader.dn,
  base: slapd.peopleDn,
  timeoutMs: 1_000,
  ...changes,
});

const environment = (changes: object = {}): Record<string, string> => ({
  SECRETS_SYSTEM: '0123456789abcdef0123456789abcdef',
  URLS_LOGIN: 'https://login.test/login',
  URLS_CONSENT: 'https://login.test/consent',
  ACCOUNTS_SECOND_FACTORS_POLICY: 'none',
  ACCOUNTS_DIRECTORIES: JSON.stringify([staff(changes)]),
  ACCOUNTS_DIRECTORY_STAFF_BIND_PASSWORD: slapd.reader.password,
});

const carnet = (args: readonly string[], { env = environment(), input = '' } = {}) => runCarnet(args, env, input);

describe('carnet directory check', () => {
  it('shows each step at each server', async () => {
    const { exitCode, out, err } = await carnet(['directory', 'check']);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(out).toMatch(new RegExp(`^staff\n  ok    ${slapd.tlsUrl}\\S*  connect  [\\d.]+ ms`));
    expect(out).toMatch(/ok {4}\S+ {2}bind/);
    expect(out).toMatch(/ok {4}\S+ {2}search/);
    expect((await carnet(['directory', 'check', 'staff'])).exitCode).toBe(0);
    expect(await carnet(['directory', 'check', 'sales'])).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/Configured: staff/),
    });
  });

  it.each([
    [
      'a wrong password of the account',
      { ACCOUNTS_DIRECTORY_STAFF_BIND_PASSWORD: 'wrong' },
      {},
      /fail .* bind[\s\S]*-> Check bindDn/,
    ],
    [
      'a server that is down',
      {},
      { urls: ['ldaps://127.0.0.1:1'] },
      /fail {2}ldaps:\/\/127\.0\.0\.1:1\S* {2}connect[\s\S]*-> Check the URL/,
    ],
    ['an unknown authority', {}, { caFile: undefined }, /fail .*\n +-> /],
    ['a wrong base', {}, { base: 'ou=nobody,dc=example,dc=org' }, /fail .* search[\s\S]*-> Check base/],
  ])('names the step that fails, and the remedy: %s', async (_what, env, changes, expected) => {
    const { exitCode, out } = await carnet(['directory', 'check'], { env: { ...environment(changes), ...env } });
    expect(exitCode).toBe(1);
    expect(out).toMatch(expected);
    expect(out).not.toContain(slapd.reader.password);
  });
});

describe('carnet directory find', () => {
  it('shows the subject and the claims of a user', async () => {
    const { exitCode, out } = await carnet(['directory', 'find', 'ada', '--format', 'json']);
    expect(exitCode).toBe(0);
    const user = JSON.parse(out);
    expect(user).toMatchObject({ directory: 'staff', subject: expect.stringMatching(/^staff\./) });
    expect((await carnet(['directory', 'find', 'ada', '--quiet'])).out).toBe(user.subject);
    expect(await carnet(['directory', 'find', 'nobody'])).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/no directory has a user/),
    });
  });
});

describe('carnet directory verify', () => {
  const verify = (input: string, login = 'ada') => carnet(['directory', 'verify', login], { input });

  it('reads the password from the standard input, and reports the reason of a refusal', async () => {
    const { password } = slapd.user('ada');
    expect(await verify(`${password}\n`)).toMatchObject({ exitCode: 0, err: '' });
    expect(await verify('wrong')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/refused: wrong_password \(subject staff\./),
    });
    expect(await verify(password, 'nobody')).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/refused: unknown_user/),
    });
    expect(await verify('')).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/standard input has no password/),
    });
  });
});

describe('carnet directory purge', () => {
  it('empties the user caches of all workers of a running server', async () => {
    const env = { ...environment(), PORT: '0', ADMIN_PORT: '0', ISSUER: 'http://127.0.0.1:4444' };
    const { line } = startProgram(main, ['serve', '--dev', '--workers', '2'], env, folder);
    const { adminUrl } = JSON.parse(await line('"msg":"ready"'));
    const signIn = async () => {
      const body = JSON.stringify({ login: 'ada', password: slapd.user('ada').password, binding: 'a challenge' });
      const headers = { connection: 'close' };
      const response = await fetch(`${adminUrl}/admin/accounts/sign-in/password`, { method: 'POST', headers, body });
      return ((await response.json()) as { state: string }).state;
    };
    /** The lookups that missed the cache: each worker has a cache of its own. */
    const misses = async () => {
      const text = await (await fetch(`${adminUrl}/admin/metrics/prometheus`)).text();
      return Number(/carnet_user_cache_lookups_total\{directory="staff",result="miss"\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    // The system chooses which worker accepts a connection.
    await expect.poll(async () => [await signIn(), await misses()]).toEqual(['done', 2]);
    const admin = { env: { CARNET_ADMIN_URL: adminUrl } };
    const purged = await carnet(['directory', 'purge', '--login', 'ada', '--format', 'json'], admin);
    expect(purged).toMatchObject({ exitCode: 0, out: '{"removed":2}' });
    expect((await carnet(['directory', 'purge', '--format', 'json'], admin)).out).toBe('{"removed":0}');
    await expect.poll(async () => [await signIn(), await misses()]).toEqual(['done', 4]);
  });
});
