import { pbkdf2, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type RemoteKey, SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';
import { openKeyWrapper, openSigner } from '@carnet/signer-pkcs11';
import { startSoftHsm } from '@carnet/test-servers';
import { closing } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { calm, isSignatureOf } from '../../signer-contract/test/laws.ts';

const hsm = await startSoftHsm();
afterAll(() => hsm.close());
beforeAll(() => hsm.generate({ type: 'EC:prime256v1', label: 'signing', id: '01' }));

const open = (url = hsm.url('signing')) => closing(openSigner({ url }));

const openWithKey = async (url?: string) => {
  const signer = await open(url);
  const [key] = await signer.keys(calm());
  if (!key) throw new Error('the token has no key');
  return { signer, key, sign: (data: Uint8Array) => signer.sign(key, data, calm()) };
};

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error) => error,
  );

describe('a wrong PIN', () => {
  const wrongPinFile = `${hsm.pinFile}.wrong`;
  const url = hsm.url('signing').replace(hsm.pinFile, wrongPinFile);

  it('a wrong PIN reaches the token once, whatever calls follow, and a corrected one works without a restart', async () => {
    await writeFile(wrongPinFile, '000000');
    const [signer, other] = [await open(url), await open(url)];
    const before = hsm.logins();
    const calls = Array.from({ length: 20 }, (_, index) => rejection((index % 2 ? signer : other).keys(calm())));
    for (const error of await Promise.all(calls)) {
      expect(error).toBeInstanceOf(SignerUnfitError);
      expect(`${error}`).not.toContain('000000');
    }
    expect(await rejection(signer.keys(calm()))).toBeInstanceOf(SignerUnfitError);
    expect(hsm.logins() - before).toBe(1);
    await writeFile(wrongPinFile, `${hsm.pin}\n`);
    expect(await signer.keys(calm())).toHaveLength(1);
  });

  it('a wrong PIN is never sent as the last try that the token allows', async () => {
    const signer = await open();
    const resume = await hsm.warnOfLastTry();
    onTestFinished(resume);
    const before = hsm.logins();
    expect(`${await rejection(signer.keys(calm()))}`).toContain('one more wrong PIN would lock the token');
    expect(hsm.logins()).toBe(before);
    await resume();
    expect(await signer.keys(calm())).toHaveLength(1);
  });
});

describe('the signer cannot be opened, with advice', () => {
  it.each([
    ['no module at the path', () => hsm.url('signing').replace('faulty-module.so', 'absent.so'), /cannot be loaded/],
    ['a file that is no module', () => hsm.url('signing').replace('faulty-module.so', 'pin'), /cannot be loaded/],
    ['no file of the PIN', () => `${hsm.url('signing')}.absent`, /cannot be read: ENOENT/],
    ['no PIN at all', () => hsm.url('signing').replace(/&pin-source=.*/, ''), /there is no PIN/],
  ])('%s', async (_, url, message) => {
    const error = await rejection(openSigner({ url: url() }));
    expect(error).toBeInstanceOf(SignerUnfitError);
    expect(`${error}`).toMatch(message);
    expect(await rejection(openKeyWrapper({ url: url() }))).toBeInstanceOf(SignerUnfitError);
  });

  it('a token of another name: the error lists the tokens that exist', async () => {
    const signer = await open(hsm.url('signing').replace('token=', 'token=another%20'));
    const error = await rejection(signer.keys(calm()));
    expect(error).toBeInstanceOf(SignerUnfitError);
    expect(`${error}`).toContain('"carnet tests"');
  });
});

describe('the PIN of PKCS11_PIN', () => {
  it('PKCS11_PIN gives the PIN if the URL names no file', async () => {
    process.env.PKCS11_PIN = hsm.pin;
    onTestFinished(() => {
      delete process.env.PKCS11_PIN;
    });
    const { key, sign } = await openWithKey(hsm.url('signing').replace(/&pin-source=.*/, ''));
    const data = randomBytes(100);
    expect(isSignatureOf(key, data, (await sign(data)).signature)).toBe(true);
  });
});

describe('while the HSM does not answer', () => {
  it('the event loop and the threads of node:crypto and node:fs are free', async () => {
    const { key, sign } = await openWithKey();
    const resume = await hsm.stall();
    onTestFinished(resume);
    // More calls than sessions, and more than the threads that libuv has.
    let settled = 0;
    const data = randomBytes(100);
    const calls = Array.from({ length: 20 }, () => sign(data).finally(() => settled++));
    for (let round = 0; round < 5; round++) {
      await promisify(pbkdf2)('password', 'salt', 1_000, 32, 'sha256');
      await readFile(hsm.pinFile);
    }
    expect(settled).toBe(0);
    await resume();
    for (const { signature } of await Promise.all(calls)) expect(isSignatureOf(key, data, signature)).toBe(true);
  });

  it('aborted calls leave the queue, and those behind them are carried out', async () => {
    const { signer, key } = await openWithKey(`${hsm.url('signing')}&sessions=1`);
    const resume = await hsm.stall();
    onTestFinished(resume);
    const controller = new AbortController();
    const data = randomBytes(100);
    const aborted = Array.from({ length: 5 }, () => rejection(signer.sign(key, data, { signal: controller.signal })));
    const patient = signer.sign(key, data, calm());
    controller.abort(new Error('the deadline'));
    for (const error of await Promise.all(aborted)) expect(`${error}`).toContain('the deadline');
    await resume();
    expect(isSignatureOf(key, data, (await patient).signature)).toBe(true);
  });
});

describe('the sessions end', () => {
  it('while hundreds of calls run: each one is carried out, with few logins', async () => {
    const { key, sign } = await openWithKey();
    const before = hsm.logins();
    const data = randomBytes(100);
    const check = async () => expect(isSignatureOf(key, data, (await sign(data)).signature)).toBe(true);
    const calls = Array.from({ length: 200 }, check);
    await calls[0];
    await hsm.endSessions();
    await Promise.all([...calls, ...Array.from({ length: 200 }, check)]);
    // At most three for each of the four sessions.
    expect(hsm.logins() - before).toBeLessThanOrEqual(12);
  });

  it('again and again: a call fails as an outage at most, and the next one is carried out', async () => {
    const { key, sign } = await openWithKey();
    const data = randomBytes(100);
    for (let round = 0; round < 10; round++) {
      const calls = Array.from({ length: 8 }, () => sign(data));
      await hsm.endSessions();
      for (const outcome of await Promise.allSettled(calls)) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(SignerUnavailableError);
        else expect(isSignatureOf(key, data, outcome.value.signature)).toBe(true);
      }
    }
    expect(isSignatureOf(key, data, (await sign(data)).signature)).toBe(true);
  });
});

describe('the token is initialized again', () => {
  it('so that its keys are gone: a new key with the same label and id has another handle', async () => {
    const { signer, key: old, sign } = await openWithKey();
    await hsm.initialize();
    expect(await rejection(sign(randomBytes(10)))).toBeInstanceOf(SignerUnfitError);
    expect(await signer.keys(calm())).toEqual([]);
    await hsm.generate({ type: 'EC:prime256v1', label: 'signing', id: '01' });
    const [key] = (await signer.keys(calm())) as [RemoteKey];
    expect(key.handle).not.toBe(old.handle);
    const data = randomBytes(100);
    expect(isSignatureOf(key, data, (await signer.sign(key, data, calm())).signature)).toBe(true);
    expect(await rejection(sign(data))).toBeInstanceOf(SignerUnfitError);
  });
});
