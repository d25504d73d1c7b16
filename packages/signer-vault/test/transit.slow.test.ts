import { type RemoteKey, SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';
import { startVault } from '@carnet/test-servers';
import { beforeTests, closing } from '@carnet/test-servers/before-tests';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { calm } from '../../signer-contract/test/laws.ts';
import { openKeyWrapper, openSigner } from '../src/index.ts';

const data = Buffer.from('header.payload');

const vault = beforeTests(() => startVault());
beforeAll(async () => {
  vault.addKey('tokens', 'ecdsa-p256');
  vault.addKey('rsa', 'rsa-2048');
  vault.addKey('seal', 'aes256-gcm96');
});
beforeEach(() => {
  vi.stubEnv('VAULT_ADDR', vault.url);
  vi.stubEnv('VAULT_TOKEN', vault.token());
  vi.stubEnv('VAULT_TOKEN_FILE', '');
  vi.stubEnv('VAULT_NAMESPACE', '');
});
afterEach(() => {
  vault.setOutage(undefined);
  vi.unstubAllEnvs();
});

describe('the keys', () => {
  it('are the versions that may sign', async () => {
    vault.addKey('old', 'ecdsa-p256');
    for (let i = 0; i < 3; i++) vault.rotate('old');
    const signer = await closing(openSigner({ url: 'vault:transit/old' }));
    const versions = async () => (await signer.keys(calm())).map(({ handle }) => handle);
    expect(await versions()).toEqual([1, 2, 3, 4].map((version) => `transit/keys/old/${version}`));
    vault.configure('old', { minEncryptionVersion: 2 });
    expect(await versions()).toHaveLength(3);
    vault.configure('old', { minAvailableVersion: 4 });
    expect(await versions()).toEqual(['transit/keys/old/4']);
  });

  it('of a type that encrypts are refused, with the right command', async () => {
    const signer = await closing(openSigner({ url: 'vault:transit/seal' }));
    await expect(signer.keys(calm())).rejects.toThrow('vault write -f transit/keys/seal type=ecdsa-p256');
  });
});

describe('a refusal tells the operator what to do', () => {
  it.each([
    ['of a token', 'vault:transit/tokens', 'hvs.wrong', /403.*permission denied.*path "transit\/sign\/tokens"/],
    ['without a token', 'vault:transit/tokens', '', /403/],
    ['of an unknown key', 'vault:transit/absent', undefined, /404.*Check that the key exists/],
  ])('%s', async (_title, url, token, message) => {
    if (token !== undefined) vi.stubEnv('VAULT_TOKEN', token);
    const signer = await closing(openSigner({ url }));
    const refused = signer.keys(calm());
    await expect(refused).rejects.toBeInstanceOf(SignerUnfitError);
    await expect(refused).rejects.toThrow(message);
  });
});

it.each([429, 472, 473, 500, 503])('status %s is an outage', async (status) => {
  const signer = await closing(openSigner({ url: 'vault:transit/tokens' }));
  const [key] = (await signer.keys(calm())) as [RemoteKey];
  vault.setOutage(status);
  await expect(signer.sign(key, data, calm())).rejects.toBeInstanceOf(SignerUnavailableError);
});

it('Vault gets the digest of a token, not its claims', async () => {
  const bodies: unknown[] = [];
  vault.onBody((body) => bodies.push(body));
  const signer = await closing(openSigner({ url: 'vault:transit/rsa' }));
  const [key] = (await signer.keys(calm())) as [RemoteKey];
  await signer.sign(key, data, calm());
  expect(bodies).toEqual([
    {
      input: expect.stringMatching(/^[\w+/]{43}=$/),
      prehashed: true,
      signature_algorithm: 'pkcs1v15',
      key_version: 1,
      marshaling_algorithm: 'jws',
    },
  ]);
  vault.onBody(undefined);
});

describe('the stand-in does what Vault does', () => {
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${vault.url}/v1/transit/${path}`, {
      method: 'POST',
      headers: { 'X-Vault-Token': vault.token() },
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const input = Buffer.alloc(32, 1).toString('base64');

  it('the stand-in signs with the newest version where the request names none', async () => {
    vault.addKey('two', 'ecdsa-p256');
    vault.rotate('two');
    expect((await post('sign/two/sha2-256', { input })).text).toContain('"vault:v2:');
  });

  it.each([
    ['a version that is too new', 'sign/tokens/sha2-256', { input, key_version: 9 }, 400, 'higher than the latest'],
    ['a digest of another length', 'sign/rsa/sha2-256', { input: 'AAAA', prehashed: true }, 500, 'hashed message'],
    ['an unknown key', 'sign/absent/sha2-256', { input }, 400, 'signing key not found'],
    ['a marshaling that it does not have', 'sign/tokens', { input, marshaling_algorithm: 'raw' }, 400, 'marshaling'],
    ['a key that does not sign', 'sign/seal', { input }, 400, 'does not support signing'],
  ])('the stand-in refuses %s', async (_title, path, body, status, message) => {
    const answer = await post(path, body);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(message);
  });
});

describe('an address', () => {
  it.each([
    ['vault:carnet', 'names no key'],
    ['vault:transit/../sys/seal', 'names no key'],
    ['vault:transit/carnet?region=x', 'unknown parameter, region'],
    ['vault:transit/carnet?address=http://vault.example:8200', 'Use https'],
    ['vault:transit/carnet?address=vault.example', 'not a URL'],
  ])('%s is refused', async (url, message) => {
    for (const open of [openSigner, openKeyWrapper]) await expect(open({ url })).rejects.toThrow(message);
  });

  it('of another machine needs a token, and one source of it', async () => {
    vi.stubEnv('VAULT_ADDR', 'https://vault.example:8200');
    vi.stubEnv('VAULT_TOKEN', '');
    await expect(openSigner({ url: 'vault:transit/carnet' })).rejects.toThrow('Set VAULT_TOKEN_FILE');
    vi.stubEnv('VAULT_TOKEN', 'a');
    vi.stubEnv('VAULT_TOKEN_FILE', 'b');
    await expect(openSigner({ url: 'vault:transit/carnet' })).rejects.toThrow('Set one of them');
  });
});
