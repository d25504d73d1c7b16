import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { CarnetError, ConfigError, type ConfigInput, createProvider } from '@carnet/provider';
import { type KeyWrapper, SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';
import { afterEach, describe, expect, it } from 'vitest';
import { unsealStoredKeys } from '../../src/assembly/stored-keys.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { registerClient } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { credentialsFor, introspect } from '../login.ts';

const keys: ConfigInput['keys'] = { source: 'store', algorithms: ['ES256'], idTokenAlg: 'ES256', pollSeconds: 1 };

/** A service with one key, to be stopped. */
const createWrapper = () => {
  const key = randomBytes(32);
  const calls = { wrap: 0, unwrap: 0 };
  const state = { down: false };
  const pass = (): void => {
    if (state.down) throw new SignerUnavailableError('connect ECONNREFUSED 10.1.2.3:443');
  };
  const wrapper: KeyWrapper = {
    async wrap(secret) {
      calls.wrap += 1;
      pass();
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    },
    async unwrap(wrapped) {
      calls.unwrap += 1;
      pass();
      const decipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, 12));
      decipher.setAuthTag(wrapped.subarray(-16));
      try {
        return Buffer.concat([decipher.update(wrapped.subarray(12, -16)), decipher.final()]);
      } catch {
        throw new SignerUnfitError('The key was wrapped by another key. Set the URL of that key.');
      }
    },
    close: async () => undefined,
  };
  return { wrapper, calls, state };
};

const instances: Instance[] = [];
afterEach(async () => {
  for (const instance of instances.splice(0)) await instance.stop();
});

const startWith = async (options: Parameters<typeof start>[0]): Promise<Instance> => {
  const instance = await start({ ...options, config: { keys, tokens: { accessTokenStrategy: 'jwt' } } });
  instances.push(instance);
  return instance;
};

const stop = async (instance: Instance): Promise<void> => {
  instances.splice(instances.indexOf(instance), 1);
  await instance.stop();
};

const newToken = async (instance: Instance): Promise<unknown> => {
  const app = await registerClient(instance, 'app');
  return (await credentialsFor(instance, app)).body.access_token;
};

describe('keys in the store that a key of a service encrypts', () => {
  it('need one call for each start, and none for a token', async () => {
    const adapter = openMemoryAdapter();
    const { wrapper, calls } = createWrapper();
    const first = await startWith({ adapter, keyWrapper: wrapper });
    await newToken(first);
    await newToken(first);
    expect(calls).toEqual({ wrap: 1, unwrap: 1 });
    const second = await startWith({ adapter, keyWrapper: wrapper });
    expect(await introspect(second, await newToken(second))).toMatchObject({ active: true });
    expect(calls).toEqual({ wrap: 1, unwrap: 2 });
  });

  it('are the same for processes that start at once', async () => {
    const adapter = openMemoryAdapter();
    const { wrapper } = createWrapper();
    await Promise.all(Array.from({ length: 4 }, () => startWith({ adapter, keyWrapper: wrapper })));
    const kidsOf = async ({ issuer }: Instance) => (await fetch(`${issuer}/.well-known/jwks.json`)).text();
    expect(new Set(await Promise.all(instances.map(kidsOf))).size).toBe(1);
  });

  it('are encrypted again when it is turned on, and cannot be read with the secret alone then', async () => {
    const adapter = openMemoryAdapter();
    const before = await startWith({ adapter });
    const kids = await (await fetch(`${before.issuer}/.well-known/jwks.json`)).text();
    await stop(before);
    const { wrapper } = createWrapper();
    const instance = await startWith({ adapter, keyWrapper: wrapper });
    expect(await (await fetch(`${instance.issuer}/.well-known/jwks.json`)).text()).toBe(kids);
    await expect.poll(() => instance.log()).toContain('"sealedAgain":1');
    await stop(instance);
    await expect(startWith({ adapter })).rejects.toThrow('set keys.sealedBy (KEYS_SEALED_BY)');
  });

  it('are encrypted with the secret alone after they were unsealed, unless one cannot be opened', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'carnet-sealed-by-'));
    const url = `sqlite:${join(folder, 'carnet.db')}`;
    const { wrapper } = createWrapper();
    const own = { ...keys, sealedBy: 'signer:' };
    const input = (system: string[], own: ConfigInput['keys']): ConfigInput => ({
      dev: true,
      issuer: 'http://127.0.0.1:4444',
      secrets: { system },
      storage: { default: url },
      urls: { login: 'http://127.0.0.1/login', consent: 'http://127.0.0.1/consent' },
      keys: own,
    });
    const secret = 'a system secret of the tests';
    const begun = await createProvider(input([secret], keys), { keyWrapper: wrapper });
    const [before] = await begun.keys.list('hydra.openid.id-token');
    await begun.close();
    await expect(createProvider(input([secret], keys))).rejects.toThrow('keys.sealedBy');
    expect(await unsealStoredKeys(parseConfig(input([secret], own)), wrapper)).toBe(1);
    const after = await createProvider(input([secret], keys));
    expect(await after.keys.list('hydra.openid.id-token')).toEqual([before]);
    await after.close();
    await expect(unsealStoredKeys(parseConfig(input(['another secret of the tests'], own)), wrapper)).rejects.toThrow(
      'No key was changed',
    );
    rmSync(folder, { recursive: true });
  });

  it('stop a start while the service is away, and with another key', async () => {
    const adapter = openMemoryAdapter();
    const { wrapper, state } = createWrapper();
    await stop(await startWith({ adapter, keyWrapper: wrapper }));
    state.down = true;
    const outage = await startWith({ adapter, keyWrapper: wrapper }).catch((error: unknown) => error);
    expect(outage).toBeInstanceOf(CarnetError);
    expect((outage as CarnetError).code).toBe('signer_unavailable');
    const other = await startWith({ adapter, keyWrapper: createWrapper().wrapper }).catch((error: unknown) => error);
    expect(other).toBeInstanceOf(ConfigError);
    expect((other as ConfigError).problems).toEqual([
      'keys.sealedBy: The key was wrapped by another key. Set the URL of that key.',
    ]);
  });
});
