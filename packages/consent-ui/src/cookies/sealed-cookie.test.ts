import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSealedCookies } from './sealed-cookie.ts';

const first = 'a'.repeat(32);
const second = 'b'.repeat(32);
const issuer = new URL('https://acme.example.com');
const schema = z.array(z.string());
const options = { name: 'carnet_test', schema, maxAgeSeconds: 60 };
let time = 1_000_000;
const cookie = (...secrets: [string, ...string[]]) =>
  createSealedCookies({ secrets, secure: false, issuer }, () => time).create(options);
const requestWith = (...cookies: readonly string[]) =>
  new Request('http://ui/', { headers: { cookie: cookies.map((each) => each.split(';')[0]).join('; ') } });

describe('a sealed cookie', () => {
  it('returns the value that was set, and does not show it', () => {
    const set = cookie(first).set(['ann@example.com']);
    expect(set).toMatch(/^carnet_test=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=60$/);
    expect(Buffer.from(set.slice('carnet_test='.length), 'base64url').toString('latin1')).not.toContain('ann@example');
    expect(cookie(first).read(requestWith(set))).toEqual(['ann@example.com']);
  });

  it('a cookie is Secure and bound to the host on https', () => {
    const secure = createSealedCookies({ secrets: [first], secure: true, issuer }).create(options);
    expect(secure.set(['a'])).toMatch(/^__Host-carnet_test=.*; Secure$/);
    expect(secure.read(requestWith(secure.set(['a'])))).toEqual(['a']);
  });

  it('a cookie is opened with each secret of the list and sealed with the first', () => {
    const old = cookie(first).set(['a']);
    expect(cookie(second, first).read(requestWith(old))).toEqual(['a']);
    expect(cookie(second).read(requestWith(old))).toBeUndefined();
    expect(cookie(second).read(requestWith(cookie(second, first).set(['b'])))).toEqual(['b']);
  });

  it('a cookie of the pages of one issuer is absent at those of another with the same secret', () => {
    const set = cookie(first).set(['a']);
    for (const other of ['https://shop.example.com', 'https://acme.example.com/shop', 'http://acme.example.com']) {
      const shared = { secrets: [first], secure: false, issuer: new URL(other) } as const;
      expect(
        createSealedCookies(shared, () => time)
          .create(options)
          .read(requestWith(set)),
      ).toBeUndefined();
    }
    expect(cookie(first).read(requestWith(set))).toEqual(['a']);
  });

  it('a cookie is absent after its expiry, even if the browser still sends it', () => {
    const set = cookie(first).set(['a']);
    time += 60_000;
    expect(cookie(first).read(requestWith(set))).toBeUndefined();
  });

  it('a cookie is absent if any of its bytes is changed', () => {
    const set = cookie(first).set(['a']).split(';')[0] ?? '';
    const name = 'carnet_test=';
    const bytes = Buffer.from(set.slice(name.length), 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(cookie(first).read(requestWith(`${name}${changed.toString('base64url')}`))).toBeUndefined();
    }
  });

  it('a cookie is not accepted under another name, twice, or with a value of another format', () => {
    const other = createSealedCookies({ secrets: [first], secure: false, issuer }, () => time);
    const renamed = other.create({ ...options, name: 'carnet_else' }).set(['a']);
    expect(cookie(first).read(requestWith(renamed.replace('carnet_else', 'carnet_test')))).toBeUndefined();
    const set = cookie(first).set(['a']);
    expect(cookie(first).read(requestWith(set, set))).toBeUndefined();
    const numbers = other.create({ ...options, schema: z.number() }).set(1);
    expect(cookie(first).read(requestWith(numbers))).toBeUndefined();
  });

  it.each(['', 'x', '!!', 'A'.repeat(5000)])('a cookie is absent if its value is %j', (value) => {
    expect(cookie(first).read(requestWith(`carnet_test=${value}`))).toBeUndefined();
  });

  it('a cookie is not set if no browser would keep it', () => {
    expect(() => cookie(first).set(['a'.repeat(4000)])).toThrow(/carnet_test/);
  });
});
