import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { type RemoteKey, SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';
import { beforeTests, closing } from '@carnet/test-servers/before-tests';
import { afterEach, describe, expect, it } from 'vitest';
import { isSignatureOf } from '../../signer-contract/test/laws.ts';
import { openKeyWrapper, openSigner } from '../src/index.ts';
import { credentials, patient, useCredentials } from './kms.ts';
import { failure, startStandIn } from './stand-in.ts';

useCredentials();

const kms = beforeTests(startStandIn);
const signer = beforeTests(() => openSigner({ url: kms.url }));
const key = beforeTests(async () => (await signer.keys(patient()))[0] as RemoteKey);
afterEach(useCredentials);

const data = Buffer.from('header.payload');

const refusalOf = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => Promise.reject(new Error('The call succeeded.')),
    (error: Error) => error,
  );

/** Logs show the causes of an error, and errors of the SDK lead to the request. */
const expectNoSecrets = (error: Error): void => {
  const shown = inspect(error, { depth: 12, showHidden: true, maxStringLength: null });
  for (const secret of [...credentials, data.toString('base64')]) expect(shown).not.toContain(secret);
};

describe('an Ed25519 key', () => {
  it('signs up to 4,096 bytes', async () => {
    expect(key.alg).toBe('EdDSA');
    for (const length of [1, 4_096]) {
      const long = randomBytes(length);
      const { signature } = await signer.sign(key, long, patient());
      expect(isSignatureOf(key, long, signature)).toBe(true);
    }
  });

  it('refuses longer data without a call, and names the keys that sign it', async () => {
    const before = kms.calls.length;
    const error = await refusalOf(signer.sign(key, Buffer.alloc(4_097, 'secret'), patient()));
    expect(error).toBeInstanceOf(SignerUnfitError);
    expect(error.message).toMatch(/ES256 or RS256/);
    expect(error.message).not.toContain('secret');
    expect(kms.calls.length).toBe(before);
  });
});

describe('a service that is busy or fails', () => {
  it.each([
    [400, 'ThrottlingException'],
    [429, 'TooManyRequestsException'],
    [400, 'RequestLimitExceeded'],
    [500, 'KMSInternalException'],
    [500, 'KeyUnavailableException'],
    [503, 'DependencyTimeoutException'],
  ])('answers %i %s: unavailable, asked once, and the next call succeeds', async (status, type) => {
    kms.failOnce(failure(status, type));
    const before = kms.calls.length;
    const error = await refusalOf(signer.sign(key, data, patient()));
    expect(error).toBeInstanceOf(SignerUnavailableError);
    expect(error.message).toContain(type);
    expect(kms.calls.length).toBe(before + 1);
    expectNoSecrets(error);
    await signer.sign(key, data, patient());
  });

  it.each([
    [502, '<html>Bad gateway</html>'],
    [200, '<html>Sign in to the network</html>'],
    [200, '{}'],
  ])('answers %i %s: unavailable', async (status, body) => {
    kms.failOnce({ status, body });
    const error = await refusalOf(signer.sign(key, data, patient()));
    expect(error).toBeInstanceOf(SignerUnavailableError);
    expectNoSecrets(error);
  });

  it('has another clock: unavailable, and the next call is signed with the clock of the service', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const other = await closing(openSigner({ url: kms.url }));
    kms.failOnce({ ...failure(400, 'InvalidSignatureException'), headers: { date } });
    expect(await refusalOf(other.sign(key, data, patient()))).toBeInstanceOf(SignerUnavailableError);
    await other.sign(key, data, patient());
    expect(Date.parse(kms.signedAt())).toBeGreaterThan(Date.now() + 3_000_000);
  });

  it('does not listen: unavailable', async () => {
    const lost = await closing(openSigner({ url: 'awskms:alias/a?region=eu-west-1&endpoint=http://127.0.0.1:9' }));
    const error = await refusalOf(lost.keys(patient()));
    expect(error).toBeInstanceOf(SignerUnavailableError);
    expect(error.message).toContain('ECONNREFUSED');
  });
});

describe('a service that refuses', () => {
  it.each([
    ['AccessDeniedException', /Allow `kms:Sign` on this key/],
    ['NotFoundException', /No such key or alias/],
    ['DisabledException', /Enable it/],
    ['KMSInvalidStateException', /cancel its deletion/],
    ['InvalidKeyUsageException', /SIGN_VERIFY/],
    ['UnrecognizedClientException', /aws sts get-caller-identity/],
    ['ExpiredTokenException', /have expired/],
    ['InvalidSignatureException', /clock of this machine/],
    ['ValidationException', /AWS documentation/],
  ])('answers %s: unfit, with the key, the request and a remedy', async (type, remedy) => {
    kms.failOnce(failure(400, type));
    const error = await refusalOf(signer.sign(key, data, patient()));
    expect(error).toBeInstanceOf(SignerUnfitError);
    expect(error.message).toMatch(remedy);
    expect(error.message).toContain(key.handle);
    expect(error.message).toContain('request-1');
    // The message of a wrong signature has the headers that were signed.
    expect(error.message).not.toContain('What the service says');
    expectNoSecrets(error);
  });

  it.each(['DescribeKey', 'GetPublicKey'])('lists keys only with the permission kms:%s', async (operation) => {
    const other = await closing(openSigner({ url: kms.url }));
    kms.failOnce(failure(400, 'AccessDeniedException'), operation);
    expect((await refusalOf(other.keys(patient()))).message).toContain(`Allow \`kms:${operation}\``);
  });

  it.each(['kms:Encrypt', 'kms:Decrypt'])('wraps keys only with the permission %s', async (permission) => {
    const wrapper = await closing(openKeyWrapper({ url: kms.url }));
    kms.failOnce(failure(400, 'AccessDeniedException'));
    const call = permission === 'kms:Encrypt' ? wrapper.wrap(data, patient()) : wrapper.unwrap(data, patient());
    expect((await refusalOf(call)).message).toContain(`Allow \`${permission}\``);
  });
});

it('a key wrapper refuses a key that signs, and names the keys that fit', async () => {
  const wrapper = await closing(openKeyWrapper({ url: kms.url }));
  kms.failOnce(failure(400, 'InvalidKeyUsageException'));
  expect((await refusalOf(wrapper.wrap(data, patient()))).message).toMatch(/SYMMETRIC_DEFAULT/);
});

describe('without', () => {
  it('credentials, calls are unfit and say where to look', async () => {
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']) delete process.env[name];
    process.env.AWS_EC2_METADATA_DISABLED = 'true';
    const other = await closing(openSigner({ url: kms.url }));
    const error = await refusalOf(other.keys(patient()));
    expect(error).toBeInstanceOf(SignerUnfitError);
    expect(error.message).toMatch(/no AWS credentials .*`aws sts get-caller-identity`/);
    for (const secret of credentials) expect(error.message).not.toContain(secret);
  });

  it('a region, a signer is not opened', async () => {
    const error = await refusalOf(openSigner({ url: 'awskms:alias/carnet' }));
    expect(error).toBeInstanceOf(SignerUnfitError);
    expect(error.message).toMatch(/`\?region=\.\.\.`/);
  });
});
