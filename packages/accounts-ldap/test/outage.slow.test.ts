import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { startSlapd } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterEach, describe, expect, test } from 'vitest';
import { open } from './directory.ts';

const unavailable = { name: 'DirectoryError', code: 'unavailable' };

const slapd = beforeTests(() => startSlapd({ users: 20 }));

const closing: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(closing.splice(0).map((each) => each.close())));
const closed = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const started = await starting;
  closing.push(started);
  return started;
};

test('a server that stops answering is an outage, and answers again when it resumes', async () => {
  const directory = await open(slapd, { timeoutMs: 500 });
  const ada = await directory.find('ada');
  await slapd.pause();
  await expect(directory.find('ada')).rejects.toMatchObject(unavailable);
  await expect(directory.find('unknown')).rejects.toMatchObject(unavailable);
  await expect(ada && directory.verify(ada, 'wrong')).rejects.toMatchObject(unavailable);
  await expect(directory.verifyUnknown('wrong', 'eve')).rejects.toMatchObject(unavailable);
  slapd.resume();
  expect(await directory.find('ada')).toEqual(ada);
});

test('the first operations after a restart succeed, at once and many', async () => {
  const directory = await open(slapd);
  const ada = await directory.find('ada');
  const logins = Array.from({ length: 20 }, (_, index) => `user${`${index + 1}`.padStart(4, '0')}`);
  await Promise.all(logins.map((login) => directory.find(login)));
  await slapd.kill();
  await expect(directory.find('ada')).rejects.toThrow(/connect.*ECONNREFUSED/);
  await slapd.start();
  const found = await Promise.all(logins.map((login) => directory.find(login)));
  expect(found.every((user) => user !== undefined)).toBe(true);
  expect(ada && (await directory.verify(ada, 'password-ada'))).toEqual({ accepted: true });
});

test('a kept connection that breaks during an operation is replaced', async () => {
  let breaksNext = false;
  let connections = 0;
  const relay = createServer((client) => {
    connections += 1;
    const server = connect(slapd.tlsPort, '127.0.0.1');
    for (const socket of [client, server]) socket.on('error', () => {});
    client.on('data', (chunk) => {
      if (breaksNext) client.resetAndDestroy();
      else server.write(chunk);
      breaksNext = false;
    });
    server.on('data', (chunk) => client.write(chunk));
    client.on('close', () => server.destroy());
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  const directory = await open(slapd, { urls: [`ldaps://127.0.0.1:${(relay.address() as AddressInfo).port}`] });
  const ada = await directory.find('ada');
  breaksNext = true;
  expect(await directory.find('ada')).toEqual(ada);
  expect(connections).toBe(2);
  relay.close();
});

test('operations after the idle timeout of the server succeed, and not as anonymous', async () => {
  const idle = await closed(startSlapd({ users: 1, idleTimeoutSeconds: 5 }));
  const directory = await open(idle, { poolSize: 3 });
  const find = () => Promise.all(['ada', 'ben', 'cleo'].map((login) => directory.find(login)));
  const [ada] = await find();
  expect(ada && (await directory.verify(ada, 'password-ada'))).toEqual({ accepted: true });
  await pause(8_000);
  expect((await find()).map((user) => user?.claims.preferred_username)).toEqual(['ada', 'ben', 'cleo']);
  expect(ada && (await directory.verify(ada, 'password-ada'))).toEqual({ accepted: true });
}, 40_000);

test('a slow answer is an outage for the one who waits for it', async () => {
  const directory = await open(slapd, { timeoutMs: 800 });
  const [slow, ada] = await Promise.all([directory.find('slow'), directory.find('ada')]);
  const verdicts = await Promise.allSettled([
    slow && directory.verify(slow, 'password-slow'),
    ada && directory.verify(ada, 'password-ada'),
  ]);
  expect(verdicts[0]).toMatchObject({ status: 'rejected', reason: unavailable });
  expect(verdicts[1]).toEqual({ status: 'fulfilled', value: { accepted: true } });
});

test('a pool whose connections are all in use is an outage that names the option', async () => {
  const directory = await open(slapd, { timeoutMs: 800, poolSize: 1 });
  const [slow, ada] = [await directory.find('slow'), await directory.find('ada')];
  const first = slow && directory.verify(slow, 'password-slow');
  const second = ada && directory.verify(ada, 'password-ada');
  const results = await Promise.allSettled([first, second]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(`${(results[1] as PromiseRejectedResult).reason}`).toContain('poolSize');
});

test('a wrong password of the service account is an outage', async () => {
  const directory = await open(slapd, { bindPassword: 'wrong' });
  await expect(directory.find('ada')).rejects.toThrow(/bind.*49.*bindDn and bindPassword/);
});

describe('several servers', () => {
  test('one of two that is down costs one attempt', async () => {
    let attempts = 0;
    const silent = createServer((socket) => {
      attempts += 1;
      socket.on('error', () => {});
    });
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const { port } = silent.address() as AddressInfo;
    const directory = await open(slapd, { urls: [`ldaps://127.0.0.1:${port}`, slapd.tlsUrl], timeoutMs: 500 });
    const ada = await directory.find('ada');
    // Each of these opens a connection of its own.
    await Promise.all(Array.from({ length: 5 }, () => directory.find('ada')));
    expect(ada && (await directory.verify(ada, 'password-ada'))).toEqual({ accepted: true });
    expect(attempts).toBe(1);
    silent.close();
  });

  test('replace each other when the one in use is killed, and the one that came back serves again', async () => {
    const other = await closed(startSlapd({ users: 1 }));
    const directory = await open(slapd, { urls: [slapd.tlsUrl, other.tlsUrl], ca: `${slapd.ca}\n${other.ca}` });
    const ada = await directory.find('ada');
    await slapd.kill();
    expect(await directory.find('ada')).toEqual(ada);
    expect(ada && (await directory.verify(ada, 'password-ada'))).toEqual({ accepted: true });
    await slapd.start();
    await other.kill();
    expect(await directory.find('ada')).toEqual(ada);
    expect(ada && (await directory.verify(ada, 'password-ada'))).toEqual({ accepted: true });
  });

  test('replace each other when the one in use stops answering, also for connections that were kept', async () => {
    const other = await closed(startSlapd({ users: 1 }));
    const urls = [slapd.tlsUrl, other.tlsUrl];
    const directory = await open(slapd, { urls, ca: `${slapd.ca}\n${other.ca}`, timeoutMs: 500 });
    const ada = await directory.find('ada');
    await slapd.pause();
    try {
      expect(await directory.find('ada')).toEqual(ada);
      expect(ada && (await directory.verify(ada, 'password-ada'))).toEqual({ accepted: true });
    } finally {
      slapd.resume();
    }
  });

  test('the lookup is an outage if all servers are down', async () => {
    const directory = await open(slapd, { urls: ['ldaps://127.0.0.1:1', 'ldaps://127.0.0.1:2'] });
    await expect(directory.find('ada')).rejects.toMatchObject(unavailable);
  });
});
