import { resolve } from 'node:path';
import { StoreUnfitError } from '@carnet/adapter-contract';
import { describe, expect, test } from 'vitest';
import { parseAddress } from './address.ts';

describe('the URL of a SQLite store', () => {
  test.each([
    ['sqlite:carnet.db', resolve('carnet.db')],
    ['sqlite://carnet.db', resolve('carnet.db')],
    ['sqlite:./data/carnet.db', resolve('data/carnet.db')],
    ['sqlite://./carnet.db', resolve('carnet.db')],
    ['sqlite:../carnet.db', resolve('../carnet.db')],
    ['sqlite:/var/lib/carnet/carnet.db', resolve('/var/lib/carnet/carnet.db')],
    ['sqlite:///var/lib/carnet/carnet.db', resolve('/var/lib/carnet/carnet.db')],
    ['sqlite:a%20file%3F.db', resolve('a file?.db')],
    ['sqlite:file:carnet.db', resolve('file:carnet.db')],
  ])('%s names the file %s', (url, path) => {
    expect(parseAddress(url)).toEqual({ path, synchronous: 'full', busyTimeoutMs: 5_000 });
  });

  test('says how safe and how patient the store is', () => {
    const { synchronous, busyTimeoutMs } = parseAddress('sqlite:carnet.db?synchronous=normal&busyTimeoutMs=250');
    expect([synchronous, busyTimeoutMs]).toEqual(['normal', 250]);
  });

  test.each([
    ['sqlite::memory:', 'memory:'],
    ['sqlite://:memory:', 'memory:'],
    ['sqlite:', 'sqlite:carnet.db'],
    ['sqlite://?synchronous=full', 'sqlite:carnet.db'],
    ['sqlite:a%00b', 'sqlite:carnet.db'],
    ['sqlite:100%.db', '%25'],
    ['postgres://localhost/carnet', 'sqlite:carnet.db'],
    ['sqlite:carnet.db?synchronous=off', 'full or normal'],
    ['sqlite:carnet.db?busyTimeoutMs=-1', 'milliseconds'],
    ['sqlite:carnet.db?busyTimeoutMs=', 'milliseconds'],
    ['sqlite:carnet.db?mode=ro', 'synchronous and busyTimeoutMs, each once: remove mode'],
    ['sqlite:carnet.db?synchronous=full&synchronous=normal', 'each once: remove synchronous'],
  ])('%s is refused, with a hint: %s', (url, hint) => {
    expect(() => parseAddress(url)).toThrow(StoreUnfitError);
    expect(() => parseAddress(url)).toThrow(hint);
  });
});
