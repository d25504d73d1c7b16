import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import type { RemoteSigner } from '@carnet/signer-contract';
import { verifySignature } from '@carnet/signer-contract/jws';
import { afterEach, describe, expect, it } from 'vitest';
import { keysSchema } from '../../src/keys/config.ts';
import { createVault } from '../../src/keys/sealing/vault.ts';
import { createLocalSigner } from '../../src/keys/signing/signer.ts';
import type { SigningKeySource } from '../../src/keys/sources/signing-key-source.ts';
import { openSigningKeySource } from '../../src/keys/sources/signing-key-source.ts';

const sources: SigningKeySource[] = [];
afterEach(() => {
  for (const source of sources.splice(0)) source.stop();
});

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** A server of Vault: its handles do not name it. `key` may be another one later. */
const createServer = (first: KeyObject) => {
  const server = { key: first };
  const signer: RemoteSigner = {
    service: 'vault-transit',
    async keys() {
      const publicKey = createLocalSigner({ privateKey: server.key }).publicKey.export({ format: 'jwk' });
      return [{ handle: 'transit/keys/carnet/1', alg: 'ES256', publicKey }];
    },
    sign: async (_key, data) => ({ signature: await createLocalSigner({ privateKey: server.key }).sign(data) }),
    close: async () => undefined,
  };
  return { server, signer };
};

const open = async (signers: readonly RemoteSigner[], now: () => number) => {
  const source = await openSigningKeySource({
    config: keysSchema.parse({ source: 'external', algorithms: ['ES256'], idTokenAlg: 'ES256', pollSeconds: 3_600 }),
    adapter: openMemoryAdapter(),
    vault: createVault(['a system secret of the tests']),
    signers,
    now,
    report: () => undefined,
  });
  sources.push(source);
  return source;
};

const data = Buffer.from('header.payload');

const signsWith = async (source: SigningKeySource): Promise<string> => {
  const signer = source.current().signerFor('ES256');
  if (signer === undefined) throw new Error('no key signs');
  expect(verifySignature(signer.alg, signer.publicKey, data, await signer.sign(data))).toBe(true);
  return signer.kid;
};

describe('two keys with one kid', () => {
  it('of one service are refused by a message that names their handles', async () => {
    const { server, signer } = createServer(newKey());
    const listed = (handle: string, privateKey: KeyObject) => {
      const publicKey = createLocalSigner({ privateKey }).publicKey.export({ format: 'jwk' });
      return { handle, alg: 'ES256', kid: 'signing', publicKey } as const;
    };
    const both = { ...signer, keys: async () => [listed('slot-1', server.key), listed('slot-2', newKey())] };
    await expect(open([both], Date.now)).rejects.toThrow(
      'keys.signer: the keys slot-1 and slot-2 (vault-transit) have the same kid signing. Give each its own.',
    );
    const same = { ...signer, keys: async () => [listed('slot-1', server.key), listed('slot-2', server.key)] };
    expect((await open([same], Date.now)).current().signers.map(({ kid }) => kid)).toEqual(['signing']);
  });
});

describe('two keys with one handle', () => {
  it('of two servers sign at their own server', async () => {
    let now = Date.now();
    const [one, other] = [createServer(newKey()), createServer(newKey())];
    const source = await open([one.signer, other.signer], () => now);
    const first = await signsWith(source);
    now += 30 * 86_400_000;
    await source.stored?.refresh();
    expect(await signsWith(source)).not.toBe(first);
  });

  it('the new key signs when a deleted key was created again', async () => {
    const { server, signer } = createServer(newKey());
    const source = await open([signer], Date.now);
    const first = await signsWith(source);
    server.key = newKey();
    await source.stored?.refresh();
    expect(await signsWith(source)).not.toBe(first);
  });
});
