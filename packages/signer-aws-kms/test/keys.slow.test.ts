import { randomBytes } from 'node:crypto';
import { DisableKeyCommand, EnableKeyCommand, type KeySpec, ScheduleKeyDeletionCommand } from '@aws-sdk/client-kms';
import { type RemoteSigner, SignerUnfitError } from '@carnet/signer-contract';
import { startMoto } from '@carnet/test-servers';
import { beforeTests, closing } from '@carnet/test-servers/before-tests';
import { describe, expect, it } from 'vitest';
import { isSignatureOf } from '../../signer-contract/test/laws.ts';
import { openKeyWrapper, openSigner } from '../src/index.ts';
import { idOf, openAdministrator, patient, region, useCredentials } from './kms.ts';

useCredentials();

const moto = beforeTests(() => startMoto());
const administrator = beforeTests(async () => openAdministrator(moto.url));

const urlOf = (...keys: readonly string[]) => `awskms:${keys.join(',')}?region=${region}&endpoint=${moto.url}`;

/** The handles that a signer lists. */
const listed = async (signer: RemoteSigner) => (await signer.keys(patient())).map(({ handle }) => handle);

describe('the keys of AWS KMS', () => {
  it.each([
    ['ECC_NIST_P256', 'ES256', 64],
    ['RSA_2048', 'RS256', 256],
    ['RSA_3072', 'RS256', 384],
    ['RSA_4096', 'RS256', 512],
  ] as const)('of the spec %s sign with %s: a message, and the digest of a long one', async (spec, alg, bytes) => {
    const signer = await closing(openSigner({ url: urlOf(await administrator.createKey(spec)) }));
    const [key] = await signer.keys(patient());
    if (key === undefined) throw new Error('no key');
    expect(key.alg).toBe(alg);
    for (const length of [1, 900, 4_096, 4_097, 60_000]) {
      const data = randomBytes(length);
      const { signature } = await signer.sign(key, data, patient());
      expect(signature.length).toBe(bytes);
      expect(isSignatureOf(key, data, signature)).toBe(true);
    }
  });

  it('are listed from the oldest to the newest, each once, by their ARN', async () => {
    const arns: string[] = [];
    for (const spec of ['ECC_NIST_P256', 'RSA_2048', 'ECC_NIST_P256'] as const) {
      arns.push(await administrator.createKey(spec));
    }
    const [first = '', second = '', third = ''] = arns;
    await administrator.createAlias('alias/second', second);
    const signer = await closing(openSigner({ url: urlOf(third, 'alias/second', idOf(first), second) }));
    expect(await listed(signer)).toEqual([first, second, third]);
  });

  it('are others when an alias moves to another key; the former key still signs', async () => {
    const [former, next] = [await administrator.createKey('ECC_NIST_P256'), await administrator.createKey('RSA_2048')];
    await administrator.createAlias('alias/moving', former);
    const signer = await closing(openSigner({ url: urlOf('alias/moving') }));
    const [before] = await signer.keys(patient());
    await administrator.moveAlias('alias/moving', next);
    const [after] = await signer.keys(patient());
    expect([before?.handle, after?.handle]).toEqual([former, next]);
    for (const key of [before, after]) {
      if (key === undefined) throw new Error('no key');
      const data = randomBytes(100);
      expect(isSignatureOf(key, data, (await signer.sign(key, data, patient())).signature)).toBe(true);
    }
  });

  it('are left out while they are disabled or wait for their deletion', async () => {
    const [first, second, third] = [
      await administrator.createKey('ECC_NIST_P256'),
      await administrator.createKey('ECC_NIST_P256'),
      await administrator.createKey('ECC_NIST_P256'),
    ];
    const signer = await closing(openSigner({ url: urlOf(first, second, third) }));
    await administrator.client.send(new DisableKeyCommand({ KeyId: idOf(first) }));
    await administrator.client.send(new ScheduleKeyDeletionCommand({ KeyId: idOf(third) }));
    const all = await signer.keys(patient());
    expect(all.map(({ handle }) => handle)).toEqual([second]);
    const [key] = all;
    for (const handle of [first, third]) {
      if (key === undefined) throw new Error('no key');
      await expect(signer.sign({ ...key, handle }, randomBytes(9), patient())).rejects.toThrow(SignerUnfitError);
    }
    await administrator.client.send(new EnableKeyCommand({ KeyId: idOf(first) }));
    expect(await listed(signer)).toEqual([first, second]);
  });

  it.each<[KeySpec, 'SIGN_VERIFY' | 'ENCRYPT_DECRYPT' | 'GENERATE_VERIFY_MAC']>([
    ['ECC_NIST_P384', 'SIGN_VERIFY'],
    ['ECC_SECG_P256K1', 'SIGN_VERIFY'],
    ['SYMMETRIC_DEFAULT', 'ENCRYPT_DECRYPT'],
    ['RSA_2048', 'ENCRYPT_DECRYPT'],
    ['HMAC_256', 'GENERATE_VERIFY_MAC'],
  ])('of the spec %s with the usage %s are refused, with the keys that fit', async (spec, usage) => {
    const arn = await administrator.createKey(spec, usage);
    const signer = await closing(openSigner({ url: urlOf(arn) }));
    const list = signer.keys(patient());
    await expect(list).rejects.toThrow(SignerUnfitError);
    await expect(list).rejects.toThrow(new RegExp(`${arn}.* ${usage} .* ${spec}.* ECC_NIST_P256 \\(ES256\\)`));
  });

  it('keys that do not exist are refused by name', async () => {
    const signer = await closing(openSigner({ url: urlOf('alias/missing') }));
    await expect(signer.keys(patient())).rejects.toThrow(/kms:DescribeKey for alias\/missing .* No such key or alias/);
  });
});

describe('the key wrapper', () => {
  it('unwraps by the second key of its URL what that key has wrapped', async () => {
    const former = await administrator.createKey('SYMMETRIC_DEFAULT', 'ENCRYPT_DECRYPT');
    const next = await administrator.createKey('SYMMETRIC_DEFAULT', 'ENCRYPT_DECRYPT');
    const old = await closing(openKeyWrapper({ url: urlOf(former) }));
    const secret = randomBytes(32);
    const wrapped = await old.wrap(secret, patient());

    const both = await closing(openKeyWrapper({ url: urlOf(next, former) }));
    expect(Buffer.from(await both.unwrap(wrapped, patient()))).toEqual(secret);
    const again = await both.wrap(secret, patient());
    await expect(old.unwrap(again, patient())).rejects.toThrow(SignerUnfitError);
  });
});
