import { type RemoteKey, SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';
import { type CloudKms, startCloudKms } from '@carnet/test-servers';
import { beforeTests, closing } from '@carnet/test-servers/before-tests';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { calm, isSignatureOf } from '../../signer-contract/test/laws.ts';
import { openKeyWrapper, openSigner } from '../src/index.ts';

const ring = 'projects/p/locations/global/keyRings/r/cryptoKeys';
const data = Buffer.from('header.payload');

const kms = beforeTests(() => startCloudKms({ isTokenDemanded: true }));
afterEach(() => {
  kms.setTampering(undefined);
  kms.tokens.setPermitted(true);
  vi.unstubAllEnvs();
});

let count = 0;
const open = async (...algorithms: readonly Parameters<CloudKms['addVersion']>[1][]) => {
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', kms.tokens.credentials);
  const cryptoKey = `${ring}/key-${count++}`;
  for (const algorithm of algorithms) kms.addVersion(cryptoKey, algorithm);
  return closing(openSigner({ url: `gcpkms:${cryptoKey}?endpoint=${kms.url}` }));
};

describe('the keys', () => {
  it('are those whose algorithm is for tokens', async () => {
    const signer = await open('RSA_SIGN_PSS_2048_SHA256', 'EC_SIGN_P256_SHA256');
    expect((await signer.keys(calm())).map(({ alg, handle }) => [alg, handle.slice(-2)])).toEqual([['ES256', '/2']]);
  });

  it('keys with an algorithm for other purposes are refused, and the error lists the right ones', async () => {
    const signer = await open('RSA_SIGN_PSS_2048_SHA256');
    await expect(signer.keys(calm())).rejects.toThrow(/RSA_SIGN_PSS_2048_SHA256.*EC_SIGN_P256_SHA256/);
  });

  it('are each read once', async () => {
    const signer = await open('EC_SIGN_P256_SHA256');
    const [{ handle }] = (await signer.keys(calm())) as [RemoteKey];
    await signer.keys(calm());
    expect(kms.requests.filter((request) => request === `GET /v1/${handle}/publicKey`)).toHaveLength(1);
  });
});

describe('a changed answer is no signature', () => {
  it.each<[string, (answer: Record<string, unknown>) => void]>([
    ['of another key version', (answer) => (answer.name = String(answer.name).replace(/\d+$/, '9'))],
    ['whose digest was not verified', (answer) => delete answer.verifiedDigestCrc32c],
    ['whose signature was changed', (answer) => (answer.signature = Buffer.alloc(70, 1).toString('base64'))],
    ['without a checksum', (answer) => delete answer.signatureCrc32c],
    ['without a signature', (answer) => delete answer.signature],
  ])('%s', async (_title, tamper) => {
    const signer = await open('EC_SIGN_P256_SHA256');
    const [key] = (await signer.keys(calm())) as [RemoteKey];
    kms.setTampering(tamper);
    await expect(signer.sign(key, data, calm())).rejects.toBeInstanceOf(SignerUnavailableError);
    kms.setTampering(undefined);
    const { signature } = await signer.sign(key, data, calm());
    expect(isSignatureOf(key, data, signature)).toBe(true);
  });

  it.each<[string, (answer: Record<string, unknown>) => void]>([
    ['whose PEM was changed', (answer) => (answer.pem = String(answer.pem).replace('A', 'B'))],
    ['of another version', (answer) => (answer.name = `${ring}/other/cryptoKeyVersions/1`)],
    ['of another algorithm', (answer) => (answer.algorithm = 'EC_SIGN_ED25519')],
  ])('a changed public key is refused: %s', async (_title, tamper) => {
    const signer = await open('EC_SIGN_P256_SHA256');
    kms.setTampering(tamper);
    await expect(signer.keys(calm())).rejects.toBeInstanceOf(SignerUnavailableError);
  });
});

describe('a refusal tells the operator what to do', () => {
  it('an account without permission gets advice', async () => {
    const signer = await open('EC_SIGN_P256_SHA256');
    kms.tokens.setPermitted(false);
    const refused = signer.keys(calm());
    await expect(refused).rejects.toBeInstanceOf(SignerUnfitError);
    await expect(refused).rejects.toThrow(/403 PERMISSION_DENIED.*roles\/cloudkms\.signerVerifier/);
  });

  it('a missing token gets advice, since over http an emulator is expected', async () => {
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '');
    const signer = await closing(openSigner({ url: `gcpkms:${ring}/key-0?endpoint=${kms.url}` }));
    await expect(signer.keys(calm())).rejects.toThrow(/401 UNAUTHENTICATED/);
  });

  it('a missing credentials file gets advice', async () => {
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '/nowhere/credentials.json');
    const signer = await closing(openSigner({ url: `gcpkms:${ring}/key-0?endpoint=${kms.url}` }));
    await expect(signer.keys(calm())).rejects.toBeInstanceOf(SignerUnfitError);
  });
});

describe('the stand-in refuses what Google refuses', () => {
  const digest = Buffer.alloc(32, 1);
  it.each([
    [
      'a digest of another length',
      { digest: { sha256: Buffer.alloc(20, 1).toString('base64') } },
      'length of the digest',
    ],
    ['a wrong checksum', { digest: { sha256: digest.toString('base64') }, digestCrc32c: '1' }, 'did not match'],
    ['data for a key that signs digests', { data: digest.toString('base64') }, 'requires the field digest'],
    ['an unknown field', { message: 'x' }, 'Unknown name'],
    ['base64url', { digest: { sha256: digest.toString('base64url') } }, 'Base64'],
  ])('%s', async (_title, body, message) => {
    const emulator = await closing(startCloudKms());
    const name = emulator.addVersion(`${ring}/k`, 'EC_SIGN_P256_SHA256');
    const answer = await fetch(`${emulator.url}/v1/${name}:asymmetricSign`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(message);
  });
});

describe('an address', () => {
  it.each([
    ['gcpkms:projects/p', 'names no key'],
    [`gcpkms:${ring}/k/cryptoKeyVersions/1`, 'without a version'],
    [`gcpkms:${ring}/k?region=x`, 'unknown parameter, region'],
    [`gcpkms:${ring}/k?endpoint=http://kms.example`, 'Use https'],
    [`gcpkms:${ring}/k?endpoint=https://kms.example/path`, 'more than a scheme'],
    ['gcpiam:nobody', 'names no service account'],
    ['gcpiam:a@b/../c', 'names no service account'],
  ])('%s is refused', async (url, message) => {
    await expect(openSigner({ url })).rejects.toThrow(message);
    await expect(openSigner({ url })).rejects.toBeInstanceOf(SignerUnfitError);
  });

  it('of a service account does not encrypt', async () => {
    await expect(openKeyWrapper({ url: 'gcpiam:a@p.iam.gserviceaccount.com' })).rejects.toThrow('does not encrypt');
  });
});
