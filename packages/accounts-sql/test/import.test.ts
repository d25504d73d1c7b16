import { createPasswordHashing } from '@carnet/accounts/directory';
import { describe, expect, it } from 'vitest';
import { createUsers, type ImportProblem, importUsers, openSqlDirectory } from '../src/index.ts';
import { engines, openUntilEnd, useDatabases } from './databases.ts';

const { createUrl } = useDatabases();

const hashing = createPasswordHashing();
const password = 'Correct horse battery';
const hash = await hashing.hash(password, 'test');

describe.each(engines)('an import into %s', (engine) => {
  const open = async () => {
    const database = await openUntilEnd(await createUrl(engine));
    const problems: ImportProblem[] = [];
    const run = (lines: readonly string[], isTrial = false) =>
      importUsers({ database, lines, isTrial, onProblem: (problem) => problems.push(problem) });
    return { database, problems, run };
  };

  it('brings users with their hashes, states and claims', async () => {
    const { database, problems, run } = await open();
    const counts = await run([
      JSON.stringify({ email: 'Ada@example.com', email_verified: true, password_hash: hash, claims: { name: 'Ada' } }),
      '',
      JSON.stringify({ username: 'bob', state: 'disabled', password_hash: hash }),
    ]);
    expect([counts, problems]).toEqual([{ read: 2, imported: 2, refused: 0 }, []]);
    const directory = openSqlDirectory({ database, name: 'local', hashing });
    const ada = await directory.find('ada@example.com');
    expect(ada?.claims).toEqual({ email: 'Ada@example.com', email_verified: true, name: 'Ada' });
    expect(await directory.verify(ada as never, password)).toEqual({ accepted: true });
    const bob = await directory.find('bob');
    expect(await directory.verify(bob as never, password)).toEqual({ accepted: false, reason: 'disabled' });
  });

  it('reports each bad line with its number and without its content, and imports the others', async () => {
    const { database, problems, run } = await open();
    const hostile = [
      '$argon2id$v=19$m=4194304,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA',
      '$argon2id$v=19$m=65536,t=4000000000,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA',
      '$2b$31$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuuabcdefghijk',
      'pbkdf2_sha256$4000000000$salt$aGFzaGhhc2hoYXNoaGFzaGhhc2g=',
      '$scrypt$ln=40,r=8,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaGhhc2g',
      'secret-in-clear-text',
    ].map((password_hash, index) => JSON.stringify({ email: `user${index}@example.com`, password_hash }));
    const lines = [
      JSON.stringify({ email: 'ada@example.com' }),
      '{"email": "broken@example.com", "password_hash": "secret',
      '[]',
      JSON.stringify({ email: 'ada@example.com', claims: { name: 'Second' } }),
      JSON.stringify({ email: 'x', password: 'secret' }),
      JSON.stringify({ email: 'not an address' }),
      JSON.stringify({ email: 'c@example.com', claims: { sub: '1' } }),
      JSON.stringify({ email: 'd@example.com', claims: { note: 'x'.repeat(70_000) } }),
      ...hostile,
      JSON.stringify({ email: 'bob@example.com' }),
    ];
    expect(await run(lines)).toEqual({ read: 15, imported: 2, refused: 13 });
    expect(problems.map(({ line }) => line).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 13 }, (_, index) => index + 2),
    );
    expect(problems.find(({ line }) => line === 4)?.message).toBe('a user with this id or login name exists');
    expect(JSON.stringify(problems)).not.toMatch(/secret(?!-)|aGFz|example\.com/);
    expect((await createUsers({ database, hashing }).list({ limit: 10 })).users).toHaveLength(2);
  });

  it('keeps the ids of another provider, and never touches a user who has the id already', async () => {
    const { database, problems, run } = await open();
    const users = createUsers({ database, hashing });
    const line = (members: object) => JSON.stringify({ password_hash: hash, ...members });
    await run([line({ id: 'auth0|1', username: 'ada', email: 'ada@example.com' })]);
    const ada = await users.find('ada');
    expect(ada?.id).toBe('auth0|1');
    const counts = await run([
      line({ id: 'auth0|1', username: 'eve' }),
      line({ id: 'auth0|1', username: 'ada', email: 'other@example.com' }),
      line({ id: 'auth0|2', username: 'bob' }),
      line({ id: 'auth0|2', username: 'bob2' }),
      line({ id: 'auth0|3', username: 'carol', email: 'ada@example.com' }),
      ...['a@b.example', 'uid=1', 'with space', '', 'x'.repeat(201), '\0'].map((id) => line({ id, username: 'x' })),
    ]);
    expect(counts).toEqual({ read: 11, imported: 1, refused: 10 });
    expect(problems.map(({ line }) => line).toSorted((one, other) => one - other)).toEqual([
      1, 2, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
    expect(await users.find('ada')).toEqual(ada);
    expect((await users.find('bob'))?.id).toBe('auth0|2');
    for (const name of ['eve', 'other@example.com', 'bob2', 'carol', 'x'])
      expect(await users.find(name)).toBeUndefined();
    expect((await users.list({ limit: 10 })).users).toHaveLength(2);
  });

  it('checks without storing, and a second run imports nothing twice', async () => {
    const { database, problems, run } = await open();
    const lines = [JSON.stringify({ email: 'ada@example.com' }), JSON.stringify({ username: 'bob' })];
    expect(await run(lines, true)).toEqual({ read: 2, imported: 2, refused: 0 });
    expect((await createUsers({ database, hashing }).list({ limit: 1 })).users).toEqual([]);
    expect(await run(lines)).toEqual({ read: 2, imported: 2, refused: 0 });
    expect(await run(lines)).toEqual({ read: 2, imported: 0, refused: 2 });
    expect(problems).toHaveLength(2);
  });

  it('of 10,000 users takes seconds', async () => {
    const { database, run } = await open();
    const lines = Array.from({ length: 10_000 }, (_, index) =>
      JSON.stringify({ email: `user${index}@example.com`, username: `user${index}`, password_hash: hash }),
    );
    const begin = performance.now();
    expect(await run(lines)).toEqual({ read: 10_000, imported: 10_000, refused: 0 });
    expect(performance.now() - begin).toBeLessThan(15_000);
    const directory = openSqlDirectory({ database, name: 'local', hashing });
    expect((await directory.find('user9999@example.com'))?.claims.preferred_username).toBe('user9999');
  });
});
