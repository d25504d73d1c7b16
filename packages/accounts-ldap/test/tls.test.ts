import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { startSlapd } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { describe, expect, test } from 'vitest';
import { openLdapDirectory } from '../src/index.ts';
import { open, optionsFor } from './directory.ts';

const slapd = beforeTests(() => startSlapd({ users: 1 }));

describe.each([
  ['LDAPS', () => slapd.tlsUrl],
  ['StartTLS', () => slapd.url],
] as const)('%s', (_, url) => {
  test('finds users with the right authority', async () => {
    const directory = await open(slapd, { urls: [url()] });
    expect(await directory.find('ada')).toBeDefined();
  });

  test.each([
    ['an expired certificate', 'expired', /certificate has expired/],
    ['a certificate of another authority', 'other', /caFile/],
  ] as const)('sends no password to a server with %s', async (_name, which, message) => {
    slapd.useCertificate(which);
    await slapd.kill();
    await slapd.start();
    try {
      const directory = await open(slapd, { urls: [url()] });
      const before = await slapd.statistics();
      await expect(directory.find('ada')).rejects.toThrow(message);
      const after = await slapd.statistics();
      // Each of the three counters is read by a connection with one bind, and two of them after the first count of binds.
      expect(after.binds - before.binds).toBe(3);
    } finally {
      slapd.useCertificate('valid');
      await slapd.kill();
      await slapd.start();
    }
  });

  test('verifies the name in the certificate', async () => {
    const directory = await open(slapd, { urls: [url().replace('127.0.0.1', 'localhost')] });
    await expect(directory.find('ada')).rejects.toThrow(/name in the server's certificate/);
  });
});

describe('a server that speaks no TLS', () => {
  /** Records what it received, and answers the first request with this, or not at all. */
  const startFake = async (answer?: (request: Buffer) => Buffer) => {
    const received: Buffer[] = [];
    const server: Server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        received.push(chunk);
        if (answer !== undefined) socket.write(answer(chunk));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { received, url: `ldap://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
  };
  /** An extended response (RFC 4511, section 4.12) with this result code. */
  const response = (code: number) => (request: Buffer) =>
    Buffer.concat([
      Buffer.from('300c0201', 'hex'),
      request.subarray(4, 5),
      Buffer.from([0x78, 7, 10, 1, code, 4, 0, 4, 0]),
    ]);

  test.each([
    ['refuses StartTLS', response(2)],
    ['accepts StartTLS and goes on in clear text', response(0)],
    ['does not answer', undefined],
  ] as const)('a server that speaks no TLS receives no password: %s', async (_, answer) => {
    const { received, url, server } = await startFake(answer);
    const directory = await open(slapd, { urls: [url], timeoutMs: 300 });
    await expect(directory.find('ada')).rejects.toMatchObject({ code: 'unavailable' });
    expect(Buffer.concat(received).includes(slapd.reader.password)).toBe(false);
    expect(received.length).toBeGreaterThan(0);
    server.close();
  });
});

describe('the configuration', () => {
  test.each([
    ['clear text to another machine', { urls: ['ldap://ldap.example.org'], startTls: false }, /clear text/],
    ['a URL of another protocol', { urls: ['https://ldap.example.org'] }, /ldaps:\/\//],
    ['credentials in the URL', { urls: ['ldaps://a:b@ldap.example.org'] }, /bindDn and bindPassword/],
    ['no server', { urls: [] }, /at least one/],
    ['no base', { base: '' }, /base/],
    ['an account without a password', { bindPassword: '' }, /bindDn and bindPassword/],
    ['a filter that does not parse', { filter: '(uid=' }, /RFC 4515/],
    ['a placeholder in a pattern', { filter: '(uid={login}*)' }, /equality/],
    ['a negated placeholder', { filter: '(!(uid={login}))' }, /equality/],
  ])('a configuration with %s is refused at once', async (_, options, message) => {
    await expect(openLdapDirectory(optionsFor(slapd, options))).rejects.toThrow(message);
    await expect(openLdapDirectory(optionsFor(slapd, options))).rejects.toBeInstanceOf(TypeError);
  });
});
