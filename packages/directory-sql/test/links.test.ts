import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createFactorStore, createLinks } from '../src/index.ts';
import { engines, openUntilEnd, useDatabases } from './databases.ts';

const { createUrl } = useDatabases();

/** AES-256-GCM with a key of the test, bound to the place. */
const createVault = () => {
  const key = randomBytes(32);
  return {
    seal(place: string, text: string) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
      return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64');
    },
    open(place: string, sealed: string) {
      const bytes = Buffer.from(sealed, 'base64');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(place));
        decipher.setAuthTag(bytes.subarray(-16));
        return `${decipher.update(bytes.subarray(12, -16), undefined, 'utf8')}${decipher.final('utf8')}`;
      } catch {
        return undefined;
      }
    },
  };
};

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
    const [database, second] = [await openUntilEnd(url), await openUntilEnd(url)];
    const vault = createVault();
    return {
      links: createLinks({ vault, store: createFactorStore({ database }), now }),
      other: createLinks({ vault, store: createFactorStore({ database: second }), now }),
    };
  };

  it('returns its content, hides it in the token, and fits into a URL', async () => {
    const { links } = await open();
    const token = links.signUp.seal(signUp);
    expect(links.signUp.open(token)?.content).toEqual(signUp);
    expect(token).toMatch(/^[\w-]{1,1000}$/);
    expect(Buffer.from(token, 'base64url').toString()).not.toContain('ada@example.com');
    expect(links.signUp.seal(signUp)).not.toBe(token);
  });

  it('is taken once, in all processes, and opening does not take it', async () => {
    const { links, other } = await open();
    const token = links.recovery.seal(recovery);
    for (const each of [links, other, links]) expect(each.recovery.open(token)?.content).toEqual(recovery);
    const takers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? links : other).recovery.open(token));
    const taken = await Promise.all(takers.map((opened) => opened?.take()));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await links.recovery.open(links.recovery.seal(recovery))?.take()).toBe(true);
  });

  it('ends with its time, and is of one kind', async () => {
    let time = Date.now();
    const { links } = await open(() => time);
    const tokens = { signUp: links.signUp.seal(signUp), recovery: links.recovery.seal(recovery) };
    expect(links.recovery.open(tokens.signUp)).toBeUndefined();
    expect(links.signUp.open(tokens.recovery)).toBeUndefined();
    time += links.recovery.validSeconds * 1_000 - 1;
    expect(links.recovery.open(tokens.recovery)).toBeDefined();
    time += 1;
    expect(links.recovery.open(tokens.recovery)).toBeUndefined();
    expect(links.signUp.open(tokens.signUp)).toBeDefined();
    time += links.signUp.validSeconds * 1_000;
    expect(links.signUp.open(tokens.signUp)).toBeUndefined();
  });

  it('is not accepted if it was changed or made up', async () => {
    const { links } = await open();
    const token = links.signUp.seal(signUp);
    const changed = Buffer.from(token, 'base64url')
      .toString()
      .replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const forged = [
      token.slice(0, -8),
      Buffer.from(`A${changed}`).toString('base64url'),
      '',
      'x',
      '%00',
      'a'.repeat(8193),
      '../..',
      `${token}=`,
    ];
    for (const each of forged) expect(links.signUp.open(each)).toBeUndefined();
  });
});
