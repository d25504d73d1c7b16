import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { bindAdapter, type FoundRecord, kinds, type StoredRecord, type Write } from '@carnet/adapter-contract';
import { openAdapter } from '@carnet/adapter-sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { probe } from '../src/store-copy/target.ts';
import { runCarnet } from './run-carnet.ts';
import { temporaryFolder } from './start-program.ts';

let folder: string;
let from: string;
let to: string;

beforeEach(() => {
  folder = temporaryFolder();
  [from, to] = ['from', 'to'].map((name) => `sqlite:${join(folder, `${name}.db`)}`) as [string, string];
});

const copy = (...args: readonly string[]) => runCarnet(['store', 'copy', '--from', from, '--to', to, ...args]);

const commitTo = async (url: string, writes: readonly Write[], issuer?: string): Promise<void> => {
  const store = await openAdapter({ url });
  expect(await bindAdapter(store, issuer).commit(writes)).toBeUndefined();
  await store.close();
};

/** Changes a store beside its adapter. */
const change = (url: string, statement: string): void => {
  const database = new DatabaseSync(url.replace('sqlite:', ''));
  database.exec(statement);
  database.close();
};

const recordsOf = async (url: string, issuer?: string): Promise<readonly FoundRecord[]> => {
  const store = await openAdapter({ url });
  const { records } = await bindAdapter(store, issuer).scan({ limit: 500 });
  await store.close();
  return records;
};

const put = (record: StoredRecord): Write => ({ type: 'put', record });
const later = new Date(Date.now() + 3_600_123);

/** One record of each kind, alone and in a grant; of each two, one is used and has members. */
const everyKind: readonly StoredRecord[] = kinds.flatMap((kind) => [
  { kind, id: `${kind}-1`, payload: '{"a":"é\\u0000"}', expiresAt: null, clientId: 'app' },
  { kind, id: `${kind}-2`, grantId: `g-${kind}`, payload: '{}', expiresAt: later, subject: 'alice' },
]);
const fill = (url: string, issuer?: string): Promise<void> =>
  commitTo(
    url,
    [
      ...everyKind.map(put),
      ...everyKind
        .filter(({ id }) => id.endsWith('2'))
        .flatMap((key): readonly Write[] => [
          { type: 'merge', key, members: ['one', 'two'] },
          { type: 'consume', key, at: new Date(1e12 + 7) },
        ]),
    ],
    issuer,
  );

const used: StoredRecord = { kind: 'refresh_token', id: 'used', grantId: 'g', payload: '{}', expiresAt: later };
const revoked: StoredRecord = { kind: 'access_token', id: 'revoked', grantId: 'h', payload: '{}', expiresAt: later };

describe('carnet store copy', () => {
  test('copies records of every kind and of all issuers with all their fields', async () => {
    await fill(from);
    await fill(from, 'acme');
    const { exitCode, out } = await copy();
    expect({ exitCode, out }).toMatchObject({ exitCode: 0, out: expect.stringContaining('The stores are equal.') });
    expect(out).toContain(`${4 * kinds.length} records copied, 0 changed, 0 removed.`);
    for (const issuer of [undefined, 'acme'])
      expect(await recordsOf(to, issuer)).toEqual(await recordsOf(from, issuer));
  });

  test('copies the records of one issuer alone', async () => {
    for (const issuer of [undefined, 'acme', 'acme-2']) await fill(from, issuer);
    expect(await copy('--issuer', 'acme')).toMatchObject({ exitCode: 0 });
    expect(await copy('--first')).toMatchObject({ exitCode: 0 });
    const counts = [undefined, 'acme', 'acme-2'].map(async (issuer) => (await recordsOf(to, issuer)).length);
    expect(await Promise.all(counts)).toEqual([2 * kinds.length, 2 * kinds.length, 0]);
  });

  test('reads the stores of configuration files, whatever the environment names', async () => {
    await fill(from);
    const [source, target] = [from, to].map((url, index) => {
      const file = join(folder, `${index}.json`);
      writeFileSync(file, JSON.stringify({ storage: { default: url } }));
      return file;
    }) as [string, string];
    const env = { DATABASE_URL: `sqlite:${join(folder, 'other.db')}` };
    expect(await runCarnet(['store', 'copy', '--from', source, '--to', target], env)).toMatchObject({ exitCode: 0 });
    expect(await recordsOf(to)).toEqual(await recordsOf(from));
  });

  test('copies from the configured store by default', async () => {
    await fill(from);
    expect(await runCarnet(['store', 'copy', '--to', to], { DATABASE_URL: from })).toMatchObject({ exitCode: 0 });
    expect(await recordsOf(to)).toEqual(await recordsOf(from));
  });

  test('shows the numbers of records by kind, and as JSON', async () => {
    await commitTo(from, [put(used), put(revoked)]);
    expect((await copy()).out.split('\n')).toEqual([
      'KIND           SOURCE  TARGET  MISSING  DIFFERENT  SURPLUS',
      'access_token   1       1       0        0          0',
      'refresh_token  1       1       0        0          0',
      '2 records copied, 0 changed, 0 removed.',
      'The stores are equal.',
    ]);
    expect(JSON.parse((await copy('--again', '--format', 'json')).out)).toMatchObject({ copied: 0, equal: true });
  });
});

describe('carnet store copy --again', () => {
  test('never leaves alive what was used or revoked in the source since the first copy', async () => {
    await commitTo(from, [put(used), put(revoked)]);
    await copy();
    await commitTo(from, [
      { type: 'consume', key: used, at: new Date(1e12) },
      { type: 'revoke', grantId: 'h' },
      put({ ...used, id: 'new' }),
    ]);
    const { exitCode, out } = await copy('--again');
    expect({ exitCode, out }).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('1 records copied, 1 changed, 1 removed.'),
    });
    expect(await recordsOf(to)).toEqual(await recordsOf(from));
  });

  test('continues a copy that was interrupted', async () => {
    await fill(from);
    await commitTo(to, everyKind.slice(0, 9).map(put));
    const { out } = await copy('--again');
    expect(out).toContain(`${2 * kinds.length - 9} records copied, 4 changed, 0 removed.`);
    expect(await recordsOf(to)).toEqual(await recordsOf(from));
  });

  test('continues a copy that was killed while it compared the places of the stores', async () => {
    await fill(from);
    await commitTo(to, [put({ ...probe, payload: '""', expiresAt: later })]);
    expect(await copy('--again')).toMatchObject({ exitCode: 0 });
    expect(await recordsOf(to)).toEqual(await recordsOf(from));
  });

  test('removes nothing of another issuer', async () => {
    await fill(from, 'acme');
    await fill(to, 'shop');
    await copy('--issuer', 'acme');
    expect(await copy('--issuer', 'acme', '--again')).toMatchObject({ exitCode: 0 });
    expect(await recordsOf(to, 'shop')).toHaveLength(2 * kinds.length);
  });
});

describe('carnet store copy refuses', () => {
  test('a target with records', async () => {
    await fill(from);
    await commitTo(to, [put(used)]);
    const { exitCode, err } = await copy();
    expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('The target has records') });
    expect(await recordsOf(to)).toHaveLength(1);
  });

  test('to make a store equal that is not a copy of the source', async () => {
    await commitTo(from, [put(used)]);
    await fill(to);
    const { exitCode, err } = await copy('--again');
    expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('not a copy of the source') });
    expect(await recordsOf(to)).toHaveLength(2 * kinds.length);
  });

  test('the source under another name, which would be reported to be equal', async () => {
    await fill(from);
    const before = await recordsOf(from);
    const other = `sqlite:${folder}/../${basename(folder)}/from.db`;
    const { exitCode, err } = await runCarnet(['store', 'copy', '--from', from, '--to', other, '--again']);
    expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('are the same store') });
    expect(await recordsOf(from)).toEqual(before);
  });

  const secret = 'very-secret';
  const refuses = async (pattern: RegExp, ...args: readonly string[]) => {
    const { exitCode, out, err } = await copy(...args);
    expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringMatching(pattern) });
    expect(out + err).not.toContain(secret);
  };

  test('a record that the target does not take, and names it without its payload', async () => {
    await commitTo(to, [{ type: 'remove', key: used }]);
    change(
      to,
      "create trigger full before insert on carnet_record when new.id = 'used' begin select raise(abort, 'full'); end",
    );
    await commitTo(from, [put({ ...used, payload: secret }), put({ ...used, id: 'fits' })]);
    await refuses(/did not store the record \{"kind":"refresh_token","id":"used","grantId":"g"\}\. \(full\)/);
  });

  test('a record of a kind that a later release has, and copies nothing', async () => {
    await commitTo(from, [put({ kind: 'session', id: 'new', payload: secret, expiresAt: null }), put(used)]);
    change(from, "update carnet_record set kind = 'later' where id = 'new'");
    await refuses(/"kind":"later","id":"new"/);
    await refuses(/"kind":"later","id":"new"/, '--dry-run');
    expect(await recordsOf(to)).toEqual([]);
    const file = join(folder, 'several.json');
    writeFileSync(
      file,
      JSON.stringify({ storage: { default: from, sessions: `sqlite:${join(folder, 'sessions.db')}` } }),
    );
    await refuses(/"kind":"later","id":"new"/, '--from', file);
  });

  test('a source without records', async () => {
    const { exitCode, err } = await copy();
    expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('The source has no records') });
  });

  test.for([
    ['the memory of a process', ['--to', 'memory:'], 78],
    ['a target that is not named', [], 2],
    ['an issuer and the first one', ['--to', 'sqlite:other.db', '--issuer', 'acme', '--first'], 2],
    ['a URL of no store', ['--to', 'oracle://host'], 78],
    ['a file that is not there', ['--to', 'missing.yaml'], 78],
  ] as const)('%s', async ([, args, exitCode]) => {
    await fill(from);
    expect(await runCarnet(['store', 'copy', '--from', from, ...args])).toMatchObject({ exitCode });
  });
});

describe('carnet store copy --dry-run', () => {
  test('shows what differs, with exit code 1, and changes nothing', async () => {
    await commitTo(from, [put(used), put(revoked)]);
    await commitTo(to, [put({ ...used, payload: '[]' }), put({ ...used, id: 'surplus' })]);
    const before = await recordsOf(to);
    const { exitCode, out } = await copy('--dry-run');
    expect(exitCode).toBe(1);
    expect(out.split('\n')).toEqual([
      'KIND           SOURCE  TARGET  MISSING  DIFFERENT  SURPLUS',
      'access_token   1       0       1        0          0',
      'refresh_token  1       2       0        1          1',
      'The stores differ.',
    ]);
    expect(await recordsOf(to)).toEqual(before);
  });
});
