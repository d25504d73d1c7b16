import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { hostAllowed } from './host.ts';

const withHosts = (hosts: readonly string[], url = '/') =>
  ({ rawHeaders: hosts.flatMap((host) => ['Host', host]), url }) satisfies Pick<IncomingMessage, 'rawHeaders' | 'url'>;

const judge = (allowed: readonly string[], host: string, url?: string): boolean =>
  hostAllowed(allowed)(withHosts([host], url) as IncomingMessage);

describe('hostAllowed', () => {
  it.each([
    ['id.example.com', 'id.example.com'],
    ['id.example.com', 'ID.Example.COM'],
    ['id.example.com', 'id.example.com:443'],
    ['id.example.com:443', 'id.example.com'],
    ['ID.example.com', 'id.example.com:80'],
    ['localhost:4444', 'localhost:4444'],
    ['[::1]:4445', '[::1]:4445'],
    ['[::1]', '[::1]'],
    ['[FE80::1]', '[fe80::1]'],
    ['127.0.0.1:*', '127.0.0.1:40123'],
    ['127.0.0.1:*', '127.0.0.1'],
  ])('%s allows %s', (allowed, host) => {
    expect(judge([allowed], host)).toBe(true);
  });

  it.each([
    ['id.example.com', 'evil.example'],
    ['id.example.com', 'id.example.com.evil.example'],
    ['id.example.com', 'id.example.com:8443'],
    ['id.example.com', 'id.example.com.'],
    ['id.example.com', 'user@id.example.com'],
    ['id.example.com', 'id.example.com,evil.example'],
    ['id.example.com', 'id.example.com/evil'],
    ['id.example.com', ''],
    ['id.example.com', ' '],
    ['id.example.com', 'id.example.com:'],
    ['id.example.com', 'id.example.com:443:443'],
    ['localhost:4444', 'localhost'],
    ['[::1]:4445', '[::1'],
    ['[::1]', '::1'],
    ['127.0.0.1:*', '127.0.0.1:*'],
    ['127.0.0.1:*', '127.0.0.2:1'],
  ])('%s does not allow "%s"', (allowed, host) => {
    expect(judge([allowed], host)).toBe(false);
  });

  it('wants exactly one Host header', () => {
    const allowed = hostAllowed(['a.example']);
    expect(allowed(withHosts([]) as IncomingMessage)).toBe(false);
    expect(allowed(withHosts(['a.example', 'a.example']) as IncomingMessage)).toBe(false);
    expect(allowed(withHosts(['a.example', 'evil.example']) as IncomingMessage)).toBe(false);
  });

  it('judges the host of an absolute request target, too', () => {
    expect(judge(['a.example'], 'a.example', 'http://a.example/x')).toBe(true);
    expect(judge(['a.example'], 'a.example', 'http://evil.example/x')).toBe(false);
    expect(judge(['a.example'], 'a.example', 'gopher://a.example/x')).toBe(false);
  });

  it('does not start with an entry that is no host', () => {
    expect(() => hostAllowed(['https://id.example.com'])).toThrow('https://id.example.com');
  });
});
