import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgresAdapter } from '@carnet/adapter-postgres';
import { openTestPostgres, openTestRedis } from '@carnet/test-servers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateKeys } from '../../provider/src/keys/sources/generate-keys.ts';
import { runCarnet } from './run-carnet.ts';
import { main, startProgram, temporaryFolder } from './start-program.ts';

interface Run {
  readonly exitCode: unknown;
  readonly lines: readonly string[];
}

/** Runs a command in a process of its own. */
const runProgram = async (args: readonly string[], env: Record<string, string>): Promise<Run> => {
  const { lines, exited } = startProgram(main, args, env);
  const [exitCode] = await exited;
  return { exitCode, lines };
};

const carnet = async (args: readonly string[], env: Record<string, string>): Promise<Run> => {
  const { exitCode, out, err } = await runCarnet(args, env);
  return { exitCode, lines: [out, err].filter((text) => text !== '').flatMap((text) => text.split('\n')) };
};

/** Everything that serving needs but the store. */
const serving = () => {
  const keysFile = join(temporaryFolder(), 'keys.json');
  writeFileSync(keysFile, JSON.stringify(generateKeys()), { mode: 0o600 });
  return {
    ISSUER: 'https://op.test',
    SECRETS_SYSTEM: '0123456789abcdef0123456789abcdef',
    URLS_LOGIN: 'https://app.test/login',
    URLS_CONSENT: 'https://app.test/consent',
    KEYS_FILE: keysFile,
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
  };
};

const statusOf = async (url: string): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(`${url}/health/ready`);
  return { status: response.status, body: await response.json() };
};

describe('the commands for stores', () => {
  let postgres: Awaited<ReturnType<typeof openTestPostgres>>;
  let database: { readonly DATABASE_URL: string };

  beforeAll(async () => {
    postgres = await openTestPostgres();
  });
  beforeEach(async () => {
    database = { DATABASE_URL: await postgres.createDatabase() };
  });
  afterAll(() => postgres?.close());

  it('a process without tables runs, says what to do, and is ready once somebody has migrated', async () => {
    const { line, child, exited } = startProgram(main, ['serve'], { ...serving(), ...database });
    expect(await line('not ready')).toContain('carnet migrate up');
    const { publicUrl, adminUrl } = JSON.parse(await line('"msg":"ready"'));
    const unready = (storage: string) => ({
      status: 503,
      body: { errors: { storage: expect.stringContaining(storage) } },
    });
    expect(await statusOf(adminUrl)).toEqual(unready('carnet migrate up'));
    expect(await statusOf(publicUrl)).toEqual(unready('not fit for use'));
    for (const url of [publicUrl, adminUrl]) expect((await fetch(`${url}/health/alive`)).status).toBe(200);
    expect((await fetch(`${adminUrl}/admin/clients`)).status).toBe(503);

    const runs = await Promise.all([1, 2, 3].map(() => runProgram(['migrate', 'up'], database)));
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(runs.flatMap(({ lines }) => lines).filter((text) => text.includes('applied  0001')).length).toBe(1);
    expect(await statusOf(publicUrl)).toEqual({ status: 200, body: { status: 'ok' } });
    expect((await fetch(`${adminUrl}/admin/clients`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('a process whose keys are in a store without tables ends, and says what to do', async () => {
    const { KEYS_FILE: _, ...env } = serving();
    const { exitCode, lines } = await runProgram(['serve'], { ...env, ...database, KEYS_SOURCE: 'store' });
    expect(exitCode).toBe(1);
    expect(lines.join()).toMatch(/can't be used as it is\. .*`carnet migrate up`/);
    expect(lines.join()).not.toContain('Try again');
  });

  it('STORAGE_MIGRATE migrates at start, several processes at once', async () => {
    const env = { ...serving(), ...database, STORAGE_MIGRATE: 'true', WORKERS: '2' };
    const { line, child, exited } = startProgram(main, ['serve'], env);
    const { publicUrl } = JSON.parse(await line('"msg":"ready"'));
    expect((await statusOf(publicUrl)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('migrate status and down say what they find and do, and need nothing but the store', async () => {
    const missing = await carnet(['migrate', 'status'], database);
    expect(missing.exitCode).toBe(1);
    expect(missing.lines.join('\n')).toMatch(/missing +0001/);
    await carnet(['migrate', 'up'], database);
    const applied = await carnet(['migrate', 'status'], database);
    expect(applied.exitCode).toBe(0);
    expect(applied.lines.join('\n')).toMatch(/\d{4}-\d\d-\d\dT.* 0001/);
    expect((await carnet(['migrate', 'down'], database)).exitCode).toBe(2);
    expect((await carnet(['migrate', 'down', '--yes'], database)).lines.join('\n')).toMatch(/undone +0001/);
    expect((await carnet(['migrate', 'status'], database)).exitCode).toBe(1);
  });

  it('never show the password of a store', async () => {
    const url = database.DATABASE_URL.replace('carnet@', 'carnet:hidden@');
    const { lines } = await carnet(['migrate', 'up'], { DATABASE_URL: url });
    expect(lines[0]).toMatch(/^postgres:\/\/carnet:\*\*\*@/);
    expect(lines.join('\n')).not.toContain('hidden');
  });

  it('sweep removes what has expired, all of it, and counts it', async () => {
    await carnet(['migrate', 'up'], database);
    const adapter = openPostgresAdapter({ url: database.DATABASE_URL });
    const put = (id: number, expiresAt: Date) => ({
      type: 'put' as const,
      record: { kind: 'replay' as const, id: `${id}`, payload: '{}', expiresAt },
    });
    await adapter.commit(Array.from({ length: 1_500 }, (_, index) => put(index, new Date(1_000))));
    await adapter.commit([put(2_000, new Date(Date.now() + 60_000))]);
    expect(await carnet(['sweep'], database)).toEqual({ exitCode: 0, lines: ['1500 removed, 0 left'] });
    expect(await adapter.read([{ kind: 'replay', id: '2000' }])).toHaveLength(1);
    await adapter.close();
  });

  it('a store in memory has nothing to migrate', async () => {
    const { exitCode, lines } = await runProgram(['migrate', 'up', '--dev'], {
      DATABASE_URL: 'memory:',
      // With a login page of its own, dev mode has no accounts database.
      URLS_LOGIN: 'http://127.0.0.1:3000/login',
    });
    expect({ exitCode, lines }).toEqual({ exitCode: 0, lines: ['No store has a schema.'] });
  });

  it('a Redis that is empty may have lost what was in it: nobody but a person says that it is new', async () => {
    const store = { DATABASE_URL: await openTestRedis() };
    const { line, child, exited } = startProgram(main, ['serve'], {
      ...serving(),
      ...store,
      STORAGE_MIGRATE: 'true',
    });
    expect(await Promise.race([line('carnet migrate up'), exited])).toContain('empty or was lost');
    child.kill('SIGKILL');
    expect((await carnet(['migrate', 'up'], store)).exitCode).toBe(0);
    const next = startProgram(main, ['serve'], { ...serving(), ...store });
    const { publicUrl } = JSON.parse(await next.line('"msg":"ready"'));
    expect((await statusOf(publicUrl)).status).toBe(200);
  });
});
