import type { StorageAdapter } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { afterEach, describe, expect, it } from 'vitest';
import { keysSchema } from '../config.ts';
import { createVault } from '../sealing/vault.ts';
import { createKeySets } from '../sets/key-sets.ts';
import type { SigningKeySource } from '../sources/signing-key-source.ts';
import { openSigningKeySource } from '../sources/signing-key-source.ts';
import { openRotation } from './rotation.ts';

const day = 86_400_000;
const secret = 'a system secret of the tests';
const config = keysSchema.parse({
  source: 'store',
  algorithms: ['ES256', 'EdDSA'],
  idTokenAlg: 'ES256',
  pollSeconds: 1,
});

interface Process {
  readonly adapter: StorageAdapter;
  readonly now?: () => number;
  readonly secrets?: readonly string[];
}

const depsOf = ({ adapter, now = () => 0, secrets = [secret] }: Process) => ({
  config,
  adapter,
  vault: createVault(secrets),
  now,
});

const rotationOf = (process: Process) => openRotation(depsOf(process)).rotation;

const sources: SigningKeySource[] = [];
afterEach(() => {
  for (const source of sources.splice(0)) source.stop();
});

const openSource = async (process: Process): Promise<SigningKeySource> => {
  const source = await openSigningKeySource({ ...depsOf(process), report: () => undefined });
  sources.push(source);
  return source;
};

const kidsOf = (source: SigningKeySource) => source.current().signers.map(({ kid }) => kid);

/** Fails for good after so many calls: the process is dead. */
const dyingAfter = (adapter: StorageAdapter, calls: number): StorageAdapter => {
  let left = calls;
  const counted = <T>(call: () => Promise<T>): Promise<T> => {
    if (left-- > 0) return call();
    return Promise.reject(new Error('killed'));
  };
  return {
    ...adapter,
    list: (query) => counted(() => adapter.list(query)),
    commit: (writes) => counted(() => adapter.commit(writes)),
  };
};

describe('signing keys in the store', () => {
  it('are the same for all processes that start at once', async () => {
    const adapter = openMemoryAdapter();
    const all = await Promise.all(Array.from({ length: 8 }, () => openSource({ adapter })));
    expect(new Set(all.map((source) => kidsOf(source).join())).size).toBe(1);
    expect(
      all[0]
        ?.current()
        .signers.map(({ alg }) => alg)
        .toSorted(),
    ).toEqual(['ES256', 'EdDSA']);
  });

  it('have one successor, however many processes make it at once', async () => {
    const adapter = openMemoryAdapter();
    await rotationOf({ adapter }).advance();
    const now = () => 80 * day;
    const all = await Promise.all(Array.from({ length: 8 }, () => rotationOf({ adapter, now }).advance()));
    const kids = all.map((states) => states.map(({ key }) => key.kid).toSorted());
    expect(new Set(kids.map(String)).size).toBe(1);
    for (const states of all) {
      expect(states.map(({ key: { alg, generation }, state }) => [alg, generation, state]).toSorted()).toEqual([
        ['ES256', 1, 'active'],
        ['ES256', 2, 'announced'],
        ['EdDSA', 1, 'active'],
        ['EdDSA', 2, 'announced'],
      ]);
    }
  });

  it('go on as they should wherever a process was killed', async () => {
    for (let calls = 0; calls < 12; calls++) {
      const adapter = openMemoryAdapter();
      for (const at of [0, 77, 91, 110, 170]) {
        const now = () => at * day;
        await rotationOf({ adapter: dyingAfter(adapter, calls), now })
          .advance()
          .catch(() => undefined);
        const states = await rotationOf({ adapter, now }).advance();
        const active = states.filter(({ state }) => state === 'active').map(({ key }) => key);
        expect(active.map(({ alg }) => alg).toSorted()).toEqual(['ES256', 'EdDSA']);
        // Nobody signs who was not announced for its time, but for the first.
        for (const { generation, createdAt, activeAt } of active) {
          if (generation > 1) expect(activeAt - createdAt).toBeGreaterThanOrEqual(13 * day);
        }
      }
      const left = await rotationOf({ adapter, now: () => 170 * day }).states();
      expect(left.map(({ key: { alg, generation }, state }) => [alg, generation, state]).toSorted()).toEqual([
        ['ES256', 2, 'active'],
        ['ES256', 3, 'announced'],
        ['EdDSA', 2, 'active'],
        ['EdDSA', 3, 'announced'],
      ]);
    }
  });

  it('stay in use while the store does not answer', async () => {
    const adapter = openMemoryAdapter();
    const kids = kidsOf(await openSource({ adapter }));
    const errors: unknown[] = [];
    const source = await openSigningKeySource({
      ...depsOf({ adapter: dyingAfter(adapter, 1) }),
      report: (event) => void errors.push(event),
    });
    sources.push(source);
    await expect.poll(() => errors.length).toBe(1);
    expect(kidsOf(source)).toEqual(kids);
  });

  it('are not opened without their secret, which is said', async () => {
    const adapter = openMemoryAdapter();
    await openSource({ adapter });
    await expect(openSource({ adapter, secrets: ['another system secret'] })).rejects.toThrow('secrets.system');
  });

  it('stay the same when the secret changes, and need the old one no more once they were looked at', async () => {
    const adapter = openMemoryAdapter();
    const kids = kidsOf(await openSource({ adapter }));
    const sets = (secrets: readonly string[]) => createKeySets(depsOf({ adapter, secrets }));
    const jwk = { kid: 'a', kty: 'oct', k: 'AAAA', alg: 'HS256', use: 'sig' } as const;
    await sets([secret]).put('mine', jwk);
    const both = await openSource({ adapter, secrets: ['the new system secret', secret] });
    expect(kidsOf(both)).toEqual(kids);
    const only = { adapter, secrets: ['the new system secret'] };
    await expect.poll(() => openSource(only).then(kidsOf, () => [])).toEqual(kids);
    expect(await sets(only.secrets).find('mine', 'a')).toEqual(jwk);
    await expect(sets([secret]).find('mine', 'a')).rejects.toThrow('not in secrets.system');
  });

  it('of one kid are one key: the older', async () => {
    const adapter = openMemoryAdapter();
    let at = 0;
    const rotation = rotationOf({ adapter, now: () => at });
    await rotation.rotate('ES256', { kid: 'same' });
    at = 1;
    await expect(rotation.rotate('EdDSA', { kid: 'same' })).rejects.toThrow('There is a signing key with this kid');
  });
});

describe('a rotation ahead of its time', () => {
  it('announces for as long as usual, or until every process knows', async () => {
    const adapter = openMemoryAdapter();
    const rotation = rotationOf({ adapter, now: () => day });
    await rotation.advance();
    expect((await rotation.rotate('ES256')).activeAt).toBe(15 * day);
    const soon = (await rotation.rotate('ES256', { soon: true })).activeAt - day;
    // A poll and its jitter, and a copy of the published keys that was made just before.
    expect(soon).toBeGreaterThanOrEqual((1.25 + 60) * 1000);
    expect(soon).toBeLessThan(120_000);
  });

  it('concurrent rotations each create the next generation', async () => {
    const adapter = openMemoryAdapter();
    await rotationOf({ adapter }).advance();
    const keys = await Promise.all([1, 2, 3].map(() => rotationOf({ adapter }).rotate('ES256', { soon: true })));
    expect(keys.map(({ generation }) => generation).toSorted()).toEqual([2, 3, 4]);
  });

  it('can not remove the key that signs, but for an algorithm that is configured no more', async () => {
    const adapter = openMemoryAdapter();
    const rotation = rotationOf({ adapter });
    const keys = new Map((await rotation.advance()).map(({ key }) => [key.alg, key.kid]));
    await rotation.rotate('RS256');
    await expect(rotation.remove(keys.get('ES256') ?? '')).rejects.toThrow('This key signs');
    const rsa = (await rotation.states()).find(({ key }) => key.alg === 'RS256');
    expect(rsa?.state).toBe('active');
    expect(await rotation.remove(rsa?.key.kid ?? '')).toBe(true);
    expect(await rotation.remove(rsa?.key.kid ?? '')).toBe(false);
    expect((await rotation.advance()).map(({ key }) => key.alg).toSorted()).toEqual(['ES256', 'EdDSA']);
  });

  it('leaves no older key when they are dropped, and the new one signs', async () => {
    const adapter = openMemoryAdapter();
    const source = await openSource({ adapter });
    const { kid } = await rotationOf({ adapter }).rotate('ES256', { soon: true, drop: true });
    await expect.poll(() => source.current().signerFor('ES256')?.kid).toBe(kid);
    expect(source.current().signers.filter(({ alg }) => alg === 'ES256')).toHaveLength(1);
    expect(source.current().signers.filter(({ alg }) => alg === 'EdDSA')).toHaveLength(1);
  });
});
