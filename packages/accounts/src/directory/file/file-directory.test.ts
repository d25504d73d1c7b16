import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createPasswordHashing } from '../passwords/password-hashing.ts';
import { createFileDirectory } from './file-directory.ts';
import { createStaticDirectory } from './list-directory.ts';
import type { ListedUser } from './user-list.ts';

const hashing = createPasswordHashing({ memoryKiB: 64, iterations: 1 });
const passwordHash = await hashing.hash('secret', '');
const folder = mkdtempSync(join(tmpdir(), 'users-'));
afterAll(() => rmSync(folder, { recursive: true }));

const alice: ListedUser = { subject: 's1', email: 'Alice@Example.com', logins: ['alice'], passwordHash };
const write = async (path: string, content: unknown): Promise<void> => {
  await writeFile(`${path}.new`, typeof content === 'string' ? content : JSON.stringify(content));
  await rename(`${path}.new`, path);
};

describe('a file of users', () => {
  it('a changed file is read again', async () => {
    const path = join(folder, 'changing.json');
    await write(path, [alice]);
    const directory = createFileDirectory({ name: 'file', path, hashing });
    expect(await directory.find('alice@example.com')).toMatchObject({ id: 's1' });
    await write(path, [{ ...alice, logins: ['alicia'], state: 'disabled' }]);
    expect(await directory.find('alice')).toBeUndefined();
    expect(await directory.find('alicia')).toMatchObject({ id: 's1', refusal: 'disabled' });
  });

  it('a file that could not be read is read again, even if it has not changed', async () => {
    const path = join(folder, 'unreadable.json');
    await mkdir(path);
    const directory = createFileDirectory({ name: 'file', path, hashing });
    await expect(directory.find('alice')).rejects.toThrow(/EISDIR/);
    await rm(path, { recursive: true });
    await write(path, [alice]);
    expect(await directory.find('alice')).toMatchObject({ id: 's1' });
  });

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '[{"passwordHash": "secret"', /is not JSON$/],
    ['no users', [], /has no user/],
    ['a password instead of a hash', [{ ...alice, passwordHash: 'secret' }], /is not a hash/],
    ['a hostile hash', [{ ...alice, passwordHash: passwordHash.replace('m=64', 'm=4194304') }], /refused: m must be/],
    ['a user without login', [{ ...alice, email: undefined, logins: [] }], /needs `email` or `logins`/],
    ['a login with NUL', [{ ...alice, logins: ['a\0'] }], /is no login name/],
    ['one subject twice', [alice, { ...alice, email: 'x@example.com', logins: [] }], /the subject "s1"/],
    [
      'one login twice',
      [alice, { ...alice, subject: 's2', email: 'ALICE@example.com' }],
      /the login "alice@example.com"/,
    ],
    ['an unknown member', [{ ...alice, pasword: 'x' }], /pasword/],
  ])('a file with %s is an outage that names the file and the problem', async (_what, content, message) => {
    const path = join(folder, 'bad.json');
    await write(path, content);
    const directory = createFileDirectory({ name: 'file', path, hashing });
    await expect(directory.find('alice')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(message),
    });
    const [step] = await directory.check();
    expect(step).toMatchObject({ ok: false, target: path, step: 'read' });
    expect(step?.detail).not.toContain('secret');
    expect(step?.detail).not.toContain(passwordHash.slice(-20));
  });
});

describe('a fixed list of users', () => {
  it('knows users by every login, and is healthy', async () => {
    const directory = createStaticDirectory({ name: 'demo', users: [alice], hashing });
    expect((await directory.find('alice'))?.id).toBe('s1');
    expect((await directory.find('alice@example.com'))?.id).toBe('s1');
    expect((await directory.check()).map(({ ok }) => ok)).toEqual([true]);
    expect(() => createStaticDirectory({ name: 'demo', users: [alice, alice], hashing })).toThrow(/two users/);
  });
});
