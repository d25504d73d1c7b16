// Serves `POST /validate/check` for the user-cache study. The first message has the options.
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createValidateCheck } from '@carnet/accounts';
import {
  createCachedDirectory,
  createDirectories,
  createMemoryCacheStore,
  createPasswordHashing,
  type Directory,
} from '@carnet/accounts/directory';
import { createSecondFactors, saltedSha256, type Vault } from '@carnet/accounts/second-factors';
import { openLdapDirectory } from '@carnet/accounts-ldap';
import { createAttemptStore, createFactorStore, openAccountsDatabase } from '@carnet/accounts-sql';
import { connectionEachDirectory } from './connection-each-directory.ts';
import type { PinServerOptions } from './pin-server.ts';

const openDirectory = async ({ lookup, slapd }: PinServerOptions): Promise<Directory> => {
  if (lookup === 'connection-each') return connectionEachDirectory(slapd);
  const { tlsUrl, ca, reader, peopleDn: base } = slapd;
  const credentials = { bindDn: reader.dn, bindPassword: reader.password };
  const directory = await openLdapDirectory({ name: 'ldap', urls: [tlsUrl], ca, base, ...credentials });
  if (lookup === 'pool') return directory;
  const store = createMemoryCacheStore();
  return createCachedDirectory({ directory, store, ttlSeconds: 3_600 });
};

/** AES-256-GCM with a key of this process, which costs what the provider's vault costs. */
const createVault = (): Vault => {
  const key = createSecretKey(randomBytes(32));
  return {
    seal(place, text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place));
      return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },
    open(place, sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(-16));
      return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
    },
    isCurrent: () => true,
  };
};

/** The body of a request, which is small. With events, as the provider reads it: an iterator would take longer. */
const bodyOf = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks).toString()));
  });

const serve = async (options: PinServerOptions): Promise<void> => {
  const database = await openAccountsDatabase({ url: options.database });
  const directories = createDirectories([{ directory: await openDirectory(options) }]);
  const factors = createSecondFactors({
    store: createFactorStore({ database }),
    attempts: createAttemptStore({ database }),
    vault: createVault(),
    hash: options.hash === 'sha256' ? saltedSha256 : createPasswordHashing(),
    policy: { default: 'optional', kinds: ['pin'] },
  });
  // The subjects come from a directory of its own, so that no cache is filled here.
  const setup = createDirectories([{ directory: await openDirectory({ ...options, lookup: 'pool' }) }]);
  for (const { name, pin } of options.users) {
    const account = await setup.find(name);
    if (account === undefined) throw new Error(`slapd has no user ${name}`);
    await factors.setPin(account.subject, pin);
  }
  await setup.close();
  const check = createValidateCheck({
    mode: 'pin',
    allow: ['127.0.0.1'],
    now: Date.now,
    emit: async () => {},
    find: async (login) => (await directories.find(login))?.subject,
    checkPassword: async () => undefined,
    factors,
  });
  const server = createServer(async (request, response) => {
    const { status, body } = await check({
      contentType: request.headers['content-type'],
      address: request.socket.remoteAddress,
      body: await bodyOf(request),
    });
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.once('disconnect', () => process.exit());
  process.send?.((server.address() as AddressInfo).port);
};

const [options] = (await once(process, 'message')) as [PinServerOptions];
await serve(options);
