import { StoreUnfitError } from '@carnet/adapter-contract';
import { describe, expect, test } from 'vitest';
import { parseAddress } from './address.ts';

describe('a URL', () => {
  test('names one server, with port, prefix and timeout by default', () => {
    expect(parseAddress('redis://localhost')).toEqual({
      mode: 'single',
      hosts: [{ host: 'localhost', port: 6379 }],
      masterName: undefined,
      options: { username: undefined, password: undefined, db: undefined, tls: undefined },
      prefix: 'carnet:',
      timeoutMilliseconds: 5_000,
      replicas: 0,
      sentinelAuth: false,
    });
  });

  test('holds credentials, a database and TLS', () => {
    const { options } = parseAddress('rediss://us%40er:p%2Fa:ss@db.example:6380/2');
    expect(options).toEqual({ username: 'us@er', password: 'p/a:ss', db: 2, tls: {} });
    expect(parseAddress('redis://:secret@localhost?tls=true').options).toMatchObject({ password: 'secret', tls: {} });
  });

  test('names nodes of a Cluster', () => {
    const { mode, hosts } = parseAddress('redis-cluster://u:p@a:7000,b,[::1]:7002?prefix=x:&timeout=200');
    expect(mode).toBe('cluster');
    expect(hosts).toEqual([
      { host: 'a', port: 7000 },
      { host: 'b', port: 6379 },
      { host: '::1', port: 7002 },
    ]);
    expect(parseAddress('rediss-cluster://a').options.tls).toEqual({});
  });

  test('names Sentinels and what they call the master', () => {
    const address = parseAddress('redis-sentinel://:p@a,b:26380/my%20master/1?sentinelAuth=true');
    expect(address).toMatchObject({
      mode: 'sentinel',
      hosts: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 26_380 },
      ],
      masterName: 'my master',
      options: { db: 1 },
      sentinelAuth: true,
    });
  });

  test('says how many replicas have to have what is taken back: one, where there are any', () => {
    expect(parseAddress('redis-sentinel://a/name').replicas).toBe(1);
    expect(parseAddress('redis-cluster://a?replicas=2').replicas).toBe(2);
    expect(parseAddress('redis-cluster://a?replicas=0').replicas).toBe(0);
    expect(parseAddress('redis://a?replicas=0').replicas).toBe(0);
  });

  test.each([
    'postgres://secret@localhost',
    'redis:',
    'redis://',
    'redis://:secret@',
    'redis://a:secret@b,c',
    'redis://:secret@localhost:port',
    'redis://:%secret@localhost',
    'redis://:secret@localhost/one',
    'redis://:secret@localhost/1/2',
    'redis-cluster://:secret@localhost/1',
    'redis-sentinel://:secret@localhost',
    'redis-sentinel://:secret@localhost/name/0/1',
    'redis://:secret@localhost?prefix=a{b}',
    'redis://:secret@localhost?prefix=a*',
    'redis://:secret@localhost?prefix=',
    'redis://:secret@localhost?timeout=0',
    'redis://:secret@localhost?timeout=soon',
    'redis://:secret@localhost?password=secret',
    'redis://:secret@localhost?replicas=1',
    'redis-cluster://:secret@localhost?replicas=all',
    'redis-cluster://:secret@localhost?replicas=',
  ])('an unusable URL is refused without being repeated: %s', (url) => {
    const parse = () => parseAddress(url);
    expect(parse).toThrow(StoreUnfitError);
    expect(parse).toThrow(/^The Redis URL can't be used: (?!.*secret)/);
  });
});
