import { createFactorStore, createLinkStore, openAccountsDatabase } from '@carnet/accounts-sql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLinks } from '../src/links/links.ts';
import { engines, useDatabases } from './open-test-accounts.ts';
import { createTestVault } from './test-vault.ts';

const { createUrl } = useDatabases();

const signUp = {
  email: 'ada@example.com',
  passwordHash: '$argon2id$v=19$...',
  name: 'Ada',
  returnTo: '/path',
};
const recovery = { subject: 'local.1', userId: '1', passwordVersion: 3 };

describe.each(engines)('a link with %s', (engine) => {
  const open = async (now?: () => number) => {
    const url = await createUrl(engine);
    const vault = createTestVault();
    const openLinks = async () => {
      const database = await openAccountsDatabase({ url, migrate: true, now });
      onTestFinished(() => database.close());
      const parts = { contents: createLinkStore({ database }), store: createFactorStore({ database }) };
      return { database, links: createLinks({ vault, ...parts, now, invitationSeconds: 604_800 }) };
    };
    const { links: other } = await openLinks();
    return { vault, other, ...(await openLinks()) };
  };

  it('returns its content from a token of 22 characters, and the database has neither token nor content', async () => {
    const { links, database } = await open();
    const token = await links.signUp.create(signUp);
    expect((await links.signUp.open(token))?.content).toEqual(signUp);
    expect(token).toMatch(/^[\w-]{22}$/);
    const stored = JSON.stringify(await database.tables.selectFrom('carnet_link').selectAll().execute());
    for (const text of [token, 'ada@example.com']) expect(stored).not.toContain(text);
    expect(await links.signUp.create(signUp)).not.toBe(token);
  });

  it('of an earlier version has its content in its token, and works once until it expires', async () => {
    let time = Date.now();
    const { links, vault } = await open(() => time);
    const text = JSON.stringify({ id: 'an-id', expiresAt: time + 60_000, content: signUp });
    const token = Buffer.from(vault.seal('link:sign-up', text)).toString('base64url');
    const opened = await links.signUp.open(token);
    expect(opened?.content).toEqual(signUp);
    expect([await opened?.take(), await opened?.take()]).toEqual([true, false]);
    expect(await links.recovery.open(token)).toBeUndefined();
    time += 60_000;
    expect(await links.signUp.open(token)).toBeUndefined();
  });

  it('the sweep deletes a link that has expired', async () => {
    let time = Date.now() - 3_600_000;
    const { links, database } = await open(() => time);
    await links.recovery.create(recovery);
    time += 3_600_000;
    const token = await links.recovery.create(recovery);
    expect(await database.sweep()).toBe(1);
    expect(await links.recovery.open(token)).toBeDefined();
  });

  it('a link is consumed once in all processes, and opening it does not consume it', async () => {
    const { links, other } = await open();
    const token = await links.recovery.create(recovery);
    for (const each of [links, other, links]) expect((await each.recovery.open(token))?.content).toEqual(recovery);
    const takers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? links : other).recovery.open(token));
    const taken = await Promise.all(takers.map(async (opened) => (await opened)?.take()));
    expect(taken.filter(Boolean)).toHaveLength(1);
    const next = await links.recovery.open(await links.recovery.create(recovery));
    expect(await next?.take()).toBe(true);
  });

  it('ends with its time, and is of one kind', async () => {
    let time = Date.now();
    const { links } = await open(() => time);
    const tokens = { signUp: await links.signUp.create(signUp), recovery: await links.recovery.create(recovery) };
    expect(await links.recovery.open(tokens.signUp)).toBeUndefined();
    expect(await links.signUp.open(tokens.recovery)).toBeUndefined();
    time += links.recovery.validSeconds * 1_000 - 1;
    expect(await links.recovery.open(tokens.recovery)).toBeDefined();
    time += 1;
    expect(await links.recovery.open(tokens.recovery)).toBeUndefined();
    expect(await links.signUp.open(tokens.signUp)).toBeDefined();
    time += links.signUp.validSeconds * 1_000;
    expect(await links.signUp.open(tokens.signUp)).toBeUndefined();
  });

  it('a link that was changed or forged is refused', async () => {
    const { links, vault } = await open();
    const token = await links.signUp.create(signUp);
    const sealed = Buffer.from(vault.seal('link:sign-up', '{}')).toString('base64url');
    const changed = Buffer.from(sealed, 'base64url')
      .toString()
      .replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const forged = [
      token.slice(0, -8),
      token.toUpperCase(),
      `${token.slice(0, -1)}!`,
      sealed.slice(0, -8),
      Buffer.from(`A${changed}`).toString('base64url'),
      '',
      'x',
      '%00',
      'a'.repeat(22),
      'a'.repeat(8193),
      '../..',
      `${token}=`,
    ];
    for (const each of forged) expect(await links.signUp.open(each)).toBeUndefined();
  });
});
