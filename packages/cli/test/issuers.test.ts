import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindAdapter, type FoundRecord, type StoredRecord, type Write } from '@carnet/adapter-contract';
import { openAdapter } from '@carnet/adapter-sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { runCarnet } from './run-carnet.ts';
import { temporaryFolder } from './start-program.ts';

let folder: string;
let url: string;
let config: string;

beforeEach(() => {
  folder = temporaryFolder();
  url = `sqlite:${join(folder, 'carnet.db')}`;
  config = join(folder, 'carnet.json');
  const issuers = { acme: { issuer: 'https://acme.test' }, shop: { issuer: 'https://op.test/shop' } };
  writeFileSync(config, JSON.stringify({ issuer: 'https://op.test', storage: { default: url }, issuers }));
});

const carnet = async (...args: readonly string[]) => {
  const { exitCode, out, err } = await runCarnet([...args, '--config', config], {});
  return { exitCode, out, err };
};

const fields = { payload: '{"a":"é"}', expiresAt: null } as const;
const client = (id: string): StoredRecord => ({ kind: 'client', id, ...fields });
const key = (id: string): StoredRecord => ({ kind: 'key', id, ...fields });
const session: StoredRecord = { kind: 'session', id: 's', subject: 'alice', payload: '{}', expiresAt: new Date(4e12) };
const token: StoredRecord = { kind: 'refresh_token', id: 't', grantId: 'g', clientId: 'app', ...fields };
const put = (record: StoredRecord): Write => ({ type: 'put', record });

/** Writes to an issuer in the store. */
const commitTo = async (issuer: string | undefined, ...writes: readonly Write[]): Promise<void> => {
  const store = await openAdapter({ url });
  await bindAdapter(store, issuer).commit(writes);
  await store.close();
};

const recordsOf = async (issuer: string | undefined): Promise<readonly FoundRecord[]> => {
  const store = await openAdapter({ url });
  const { records } = await bindAdapter(store, issuer).scan({ limit: 500 });
  await store.close();
  return records;
};

const fill = async (issuer: string | undefined): Promise<void> => {
  await commitTo(issuer, ...[client('c'), key('k'), session, token].map(put));
  await commitTo(
    issuer,
    { type: 'merge', key: session, members: ['app', 'other'] },
    { type: 'consume', key: token, at: new Date(1e12) },
  );
};

describe('carnet issuers list', () => {
  test('shows what is configured and what is in the store', async () => {
    await fill(undefined);
    await commitTo('acme', ...['a', 'b'].map(client).map(put));
    await commitTo('former', put(key('k')));
    expect(await carnet('issuers', 'list')).toEqual({
      exitCode: 0,
      out: [
        'NAME     ISSUER                CLIENTS  KEYS',
        '(first)  https://op.test       1        1',
        'acme     https://acme.test     2        0',
        'shop     https://op.test/shop  0        0',
        'former   (not configured)      0        1',
      ].join('\n'),
      err: '',
    });
  });

  test('finds one by its tokens alone when it reads every record', async () => {
    await commitTo('former', put(token));
    expect((await carnet('issuers', 'list', '--quiet')).out.split('\n')).toEqual(['acme', 'shop']);
    expect((await carnet('issuers', 'list', '--quiet', '--scan')).out.split('\n')).toEqual(['acme', 'shop', 'former']);
  });
});

describe('carnet issuers export and import', () => {
  test('bring the records of one issuer to another, whole', async () => {
    for (const name of [undefined, 'acme', 'shop']) await fill(name);
    await commitTo('acme', put(client('own')));
    const before = await recordsOf('acme');
    const file = join(folder, 'acme.jsonl');
    expect((await carnet('issuers', 'export', 'acme', '--output', file)).out).toMatch(/^5 records of acme written/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(7);
    expect(await carnet('issuers', 'import', 'new', file)).toMatchObject({ exitCode: 0 });
    expect(await recordsOf('new')).toEqual(before);
    expect((await carnet('issuers', 'import', 'new', file)).out).toBe('0 records of new stored, 5 existed.');
  });

  test('bring the first issuer to a named one', async () => {
    await fill(undefined);
    await fill('acme');
    const file = join(folder, 'first.jsonl');
    expect(await carnet('issuers', 'export', '--first', '--output', file)).toMatchObject({ exitCode: 0 });
    await carnet('issuers', 'import', 'moved', file);
    expect(await recordsOf('moved')).toEqual(await recordsOf(undefined));
  });

  test('never replace a file', async () => {
    const { exitCode, err } = await carnet('issuers', 'export', 'acme', '--output', config);
    expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('EEXIST') });
  });

  test.for([
    ['is cut', (lines: readonly string[]) => lines.slice(0, -1)],
    ['lacks a record', (lines: readonly string[]) => lines.toSpliced(1, 1)],
    ['has no header', (lines: readonly string[]) => lines.slice(1)],
    ['has another kind', (lines: readonly string[]) => lines.map((line) => line.replace('"client"', '"other"'))],
  ] as const)('refuse a file that %s', async ([, damage]) => {
    await fill('acme');
    const file = join(folder, 'acme.jsonl');
    await carnet('issuers', 'export', 'acme', '--output', file);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    writeFileSync(file, damage(lines).join('\n'));
    expect(await carnet('issuers', 'import', 'new', file)).toMatchObject({ exitCode: 1 });
  });
});

describe('carnet issuers delete', () => {
  test('removes the records of one issuer, and nothing else', async () => {
    for (const name of [undefined, 'acme', 'former', 'former-2']) await fill(name);
    const { exitCode, out } = await carnet('issuers', 'delete', 'former', '--yes');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^4 records of former removed\./);
    const counts = await Promise.all(
      [undefined, 'acme', 'former', 'former-2'].map(async (name) => (await recordsOf(name)).length),
    );
    expect(counts).toEqual([4, 4, 0, 4]);
    expect((await carnet('issuers', 'delete', 'former', '--yes')).out).toMatch(/^0 records/);
  });

  test.for([
    ['without --yes', ['former']],
    ['of a configured issuer', ['acme', '--yes']],
    ['of the first issuer', ['--yes']],
    ['of a name that none can have', ['~acme', '--yes']],
    ['of several issuers', ['a', 'b', '--yes']],
  ] as const)('refuses to remove the records %s', async ([, args]) => {
    for (const name of [undefined, 'acme', 'former']) await fill(name);
    expect(await carnet('issuers', 'delete', ...args)).toMatchObject({ exitCode: 2 });
    const counts = await Promise.all([undefined, 'acme', 'former'].map(async (name) => (await recordsOf(name)).length));
    expect(counts).toEqual([4, 4, 4]);
  });

  test('removes a configured issuer if it is told so', async () => {
    await fill('acme');
    expect(await carnet('issuers', 'delete', 'acme', '--yes', '--configured')).toMatchObject({ exitCode: 0 });
    expect(await recordsOf('acme')).toEqual([]);
  });
});
