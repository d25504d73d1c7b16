import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { demoUsers } from './demo-users.ts';
import { createStaticDirectory, readUsersFile } from './static-directory.ts';

const directory = createStaticDirectory(demoUsers);
const folder = mkdtempSync(join(tmpdir(), 'users-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the built-in users', () => {
  it.each([
    ['demo@example.com', 'carnet-demo'],
    ['Grace@Example.com', 'carnet-demo-2'],
  ])('%s logs in', async (email, password) => {
    const user = await directory.authenticate(email, password);
    expect(user?.claims.email).toBe(email.toLowerCase());
    expect(await directory.claims(user?.subject ?? '')).toEqual(user?.claims);
  });

  it.each([
    ['demo@example.com', 'carnet-demo-2'],
    ['demo@example.com', ''],
    ['demo@example.com', 'carnet-demo '],
    // For unknown user names the hash of the first user is compared instead.
    ['nobody@example.com', 'carnet-demo'],
  ])('%s does not log in with %j', async (email, password) => {
    expect(await directory.authenticate(email, password)).toBeUndefined();
  });

  it('are not known by their names as subjects', async () => {
    expect(await directory.claims('demo@example.com')).toBeUndefined();
    expect(await directory.claims('__proto__')).toBeUndefined();
  });

  it('have subjects that are not their email addresses', () => {
    expect(demoUsers.filter((user) => user.subject.includes('@'))).toEqual([]);
  });
});

describe('a file of users', () => {
  it('a file of users can be read', async () => {
    const path = join(folder, 'users.json');
    writeFileSync(path, JSON.stringify([{ ...demoUsers[0], subject: 's1', email: 'ann@example.com' }]));
    const fromFile = createStaticDirectory(readUsersFile(path));
    expect(await fromFile.authenticate('ann@example.com', 'carnet-demo')).toMatchObject({ subject: 's1' });
  });

  it.each([
    ['plain passwords', JSON.stringify([{ subject: 's', email: 'e', passwordHash: 'secret' }])],
    ['no user', '[]'],
    ['no JSON', '{'],
  ])('a file with %s is refused, by name', (_what, content) => {
    const path = join(folder, 'bad.json');
    writeFileSync(path, content);
    expect(() => readUsersFile(path)).toThrow(/DEMO_USERS_FILE: .*bad\.json/);
  });
});
