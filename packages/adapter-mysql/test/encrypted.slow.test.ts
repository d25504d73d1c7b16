import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { openInOtherProcess } from '@carnet/adapter-contract/laws';
import { openAuthority, startMariadb } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createStore, query } from './store.ts';

const authority = openAuthority();
afterAll(() => authority.close());

/** The certificate that the server reads. */
const certify = (name: string) =>
  authority.paths(authority.issued({ subject: '/CN=database', alternativeNames: `DNS:${name}` }));

const server = beforeTests(() => {
  const { cert, key } = certify('localhost');
  // The server runs as another user than the tests.
  chmodSync(authority.folder, 0o755);
  chmodSync(key, 0o644);
  return startMariadb({ settings: { 'ssl-cert': cert, 'ssl-key': key } });
});

let url: string;
beforeAll(async () => {
  url = await createStore(server);
  await query(url, "create user encrypted@'%' identified by 'password' require ssl");
  await query(url, "grant all on *.* to encrypted@'%'");
  await query(url, "create user local@localhost identified by 'password'");
  await query(url, 'grant all on *.* to local@localhost');
});

/** Whether a process with this URL can use the store. `ca`: the file of the authority that it trusts. */
const isUsable = async (place: string, ca?: string): Promise<boolean> => {
  vi.stubEnv('NODE_OPTIONS', '--conditions=@carnet/source');
  vi.stubEnv('NODE_EXTRA_CA_CERTS', ca);
  const store = await openInOtherProcess(new URL('../src/index.ts', import.meta.url), place);
  try {
    return await store.ping().then(
      () => true,
      () => false,
    );
  } finally {
    await store.kill();
  }
};

const asUser = (name: string): string => url.replace('root@127.0.0.1', `${name}:password@localhost`);

test('a URL with tls=true connects by TLS, to a server whose certificate is from a trusted authority for its name', async () => {
  const ca = join(authority.folder, 'ca.pem');
  const encrypted = `${asUser('encrypted')}?tls=true`;
  expect(await isUsable(encrypted, ca)).toBe(true);
  expect(await isUsable(encrypted)).toBe(false);
  expect(await isUsable(asUser('encrypted'), ca)).toBe(false);
  certify('other.test');
  await query(url, 'flush ssl');
  expect(await isUsable(encrypted, ca)).toBe(false);
});

test('a URL with a socket uses it, and its user is one of localhost', async () => {
  const socket = String((await query(url, 'select @@socket as socket'))[0]?.socket);
  const local = asUser('local').replace(`:${server.port}/`, '/');
  expect(await isUsable(`${local}?socket=${encodeURIComponent(socket)}`)).toBe(true);
  expect(await isUsable(`${local}?socket=${encodeURIComponent(`${socket}-missing`)}&timeout=500`)).toBe(false);
});
