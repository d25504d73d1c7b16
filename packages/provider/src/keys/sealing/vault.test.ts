import { describe, expect, it } from 'vitest';
import { createVault } from './vault.ts';

const [first, second] = ['the first secret of the tests', 'the second secret of the tests'];
const payload = createVault([first]).seal('place', '{"d":"private"}');

/** With one character of what is sealed changed. */
const changed = (index: number): string => {
  const { secret, sealed } = JSON.parse(payload) as { secret: string; sealed: string };
  const bytes = Buffer.from(sealed, 'base64url');
  bytes[index] = (bytes.at(index) ?? 0) ^ 1;
  return JSON.stringify({ secret, sealed: bytes.toString('base64url') });
};

describe('the vault', () => {
  it('opens what it has sealed, and shows nothing of it', () => {
    expect(createVault([first]).open('place', payload)).toBe('{"d":"private"}');
    expect(payload).not.toContain('private');
    expect(Buffer.from(JSON.parse(payload).sealed, 'base64url').toString('latin1')).not.toContain('private');
  });

  it('seals the same text differently each time', () => {
    expect(createVault([first]).seal('place', '{"d":"private"}')).not.toBe(payload);
  });

  it('opens with an old secret, and says that it is one', () => {
    const vault = createVault([second, first]);
    expect(vault.open('place', payload)).toBe('{"d":"private"}');
    expect(vault.isCurrent(payload)).toBe(false);
    expect(vault.isCurrent(vault.seal('place', ''))).toBe(true);
  });

  it.each([
    ['another secret', second, 'place', payload],
    ['another place', first, 'elsewhere', payload],
    ['another nonce', first, 'place', changed(0)],
    ['another text', first, 'place', changed(12)],
    ['another tag', first, 'place', changed(-1 + Buffer.from(JSON.parse(payload).sealed, 'base64url').length)],
    [
      'a cut text',
      first,
      'place',
      JSON.stringify({ ...JSON.parse(payload), sealed: JSON.parse(payload).sealed.slice(0, 20) }),
    ],
  ])('opens nothing with %s', (_what, secret, place, given) => {
    expect(createVault([secret]).open(place, given)).toBeUndefined();
  });

  it.each(['', '{', '{}', 'null', '.', 'a.b'])('opens nothing for the text %j', (text) => {
    expect(createVault([first]).open('place', text)).toBeUndefined();
    expect(createVault([first]).isCurrent(text)).toBe(false);
  });

  it('has keys of its own for each purpose, and a text for links', () => {
    const accounts = createVault([first], 'accounts');
    const sealed = accounts.seal('place', 'text');
    expect(sealed).toMatch(/^[\w-]{8}\.[\w-]+$/);
    expect(accounts.open('place', sealed)).toBe('text');
    const [secret = '', bytes = ''] = sealed.split('.');
    expect(createVault([first]).open('place', JSON.stringify({ secret, sealed: bytes }))).toBeUndefined();
    const { secret: name, sealed: key } = JSON.parse(payload) as { secret: string; sealed: string };
    for (const text of [`${name}.${key}`, `${secret}.${key}`]) expect(accounts.open('place', text)).toBeUndefined();
  });
});
