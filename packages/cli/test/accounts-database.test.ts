import { openTestPostgres } from '@carnet/test-servers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCarnet } from './run-carnet.ts';

let postgres: Awaited<ReturnType<typeof openTestPostgres>>;
beforeAll(async () => {
  postgres = await openTestPostgres();
});
afterAll(() => postgres?.close());

const directories = JSON.stringify([{ name: 'users', kind: 'sql' }]);

it('`carnet migrate` covers the accounts database, and `carnet doctor` reports one without its tables', async () => {
  const [store, accounts] = [await postgres.createDatabase(), await postgres.createDatabase()];
  const env = {
    DATABASE_URL: store,
    ACCOUNTS_DATABASE: accounts,
    ACCOUNTS_DIRECTORIES: directories,
    ISSUER: 'https://id.test',
    SECRETS_SYSTEM: '0123456789abcdef0123456789abcdef',
    KEYS_SOURCE: 'store',
    URLS_LOGIN: 'https://127.0.0.1:1/login',
    URLS_CONSENT: 'https://127.0.0.1:1/consent',
  };
  const carnet = (line: string) => runCarnet(line.split(' '), env);
  const name = new URL(accounts).pathname.slice(1);
  expect(await carnet('migrate status')).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining(`${name} (accounts)`),
  });
  expect((await carnet('doctor')).out).toMatch(/fail {2}accounts +\S+ lacks .*\n +-> Run `carnet migrate up`/);
  expect((await carnet('migrate up')).out).toMatch(new RegExp(`${name} \\(accounts\\)\n {2}applied`));
  expect((await carnet('migrate status')).exitCode).toBe(0);
  const { out } = await carnet('doctor');
  expect(out).toMatch(/ok {4}accounts +\S+ is up to date\n/);
  expect(out).toMatch(/ok {4}accounts +directory users answers/);
  expect((await carnet('migrate down --yes')).out).toMatch(new RegExp(`${name} \\(accounts\\)\n {2}undone`));
});
