import type { StorageAdapter } from '@carnet/adapter-contract';
import { openMemoryAdapter } from '@carnet/adapter-memory';
import { ConfigError } from '@carnet/provider';
import { afterEach, describe, expect, it } from 'vitest';
import { keysSchema } from '../../src/keys/config.ts';
import { createVault } from '../../src/keys/sealing/vault.ts';
import { createKeySets } from '../../src/keys/sets/key-sets.ts';
import { createKeys } from '../../src/keys/sets/manage-keys.ts';
import type { ChangedKey, KeyEvent, SigningKeySource } from '../../src/keys/sources/signing-key-source.ts';
import { openSigningKeySource } from '../../src/keys/sources/signing-key-source.ts';
import { createRefuse } from '../../src/validation.ts';
import { createSigningService, type SigningService } from '../signing-service.ts';

const day = 86_400_000;
const signingSet = 'hydra.openid.id-token';

interface Options {
  readonly service?: SigningService;
  readonly adapter?: StorageAdapter;
  readonly source?: 'store' | 'external';
  readonly now?: () => number;
  readonly idTokenAlg?: 'ES256' | 'RS256';
}

const sources: SigningKeySource[] = [];
afterEach(() => {
  for (const source of sources.splice(0)) source.stop();
});

/** A process. `states`: as it has last reported them, by `kid`. */
const openProcess = async ({ service, adapter = openMemoryAdapter(), ...options }: Options) => {
  const events: KeyEvent[] = [];
  const { source = 'external', now = Date.now, idTokenAlg = 'ES256' } = options;
  const vault = createVault(['a system secret of the tests']);
  const opened = await openSigningKeySource({
    config: keysSchema.parse({ source, algorithms: ['ES256', 'RS256'], idTokenAlg, pollSeconds: 3_600 }),
    adapter,
    vault,
    signers: service ? [service.signer] : [],
    now,
    report: (event) => void events.push(event),
  });
  sources.push(opened);
  const refresh = () => opened.stored?.refresh();
  const signing = () => opened.current().signerFor('ES256')?.kid;
  const published = () => opened.current().signers.map(({ kid }) => kid);
  const changes = (): readonly ChangedKey[] => events.flatMap((event) => ('changed' in event ? event.changed : []));
  const rotation = () => opened.stored?.rotation as NonNullable<typeof opened.stored>['rotation'];
  const keySets = createKeySets({ adapter, vault, now });
  const keys = createKeys({ keySets, signingKeys: opened, refuse: createRefuse() });
  return { opened, refresh, signing, published, changes, events, rotation, keys };
};

const problemOf = async (opening: Promise<unknown>): Promise<string> => {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ConfigError ? error.problems.join() : String((error as { code?: string }).code ?? error);
};

describe('the life of a key at a service', () => {
  it('the first version signs at once, a later one is announced, then signs, and the first is retired, then gone', async () => {
    let now = Date.now();
    const service = createSigningService();
    const process = await openProcess({ service, now: () => now });
    const [first] = process.published();
    const second = service.rotate('ES256');
    await process.refresh();
    expect([process.signing(), process.published()]).toEqual([first, [first, second]]);
    now += 13 * day;
    await process.refresh();
    expect(process.signing()).toBe(first);
    now += 2 * day;
    await process.refresh();
    expect([process.signing(), process.published()]).toEqual([second, [second, first]]);
    now += 15 * day;
    await process.refresh();
    expect(process.published()).toEqual([second]);
    // It is still listed, and must not be taken for a new version.
    await process.refresh();
    expect(process.published()).toEqual([second]);
    expect(process.changes().map(({ kid, state }) => [kid === first ? 'first' : 'second', state])).toEqual([
      ['second', 'announced'],
      ['first', 'retired'],
      ['second', 'active'],
      ['first', 'gone'],
    ]);
  });

  it('all processes that find a version give the key the same life', async () => {
    const adapter = openMemoryAdapter();
    const service = createSigningService();
    service.rotate('ES256');
    const all = await Promise.all(Array.from({ length: 6 }, () => openProcess({ service, adapter })));
    service.rotate('ES256');
    await Promise.all(all.map(({ refresh }) => refresh()));
    expect(new Set(all.map(({ published }) => published().join())).size).toBe(1);
    expect(all[0]?.published()).toHaveLength(3);
    const { records } = await adapter.list({ kind: 'key', limit: 100 });
    expect(records).toHaveLength(3);
  });

  it('an announced version can sign soon, and a version is only made at the service', async () => {
    let now = Date.now();
    const service = createSigningService();
    const process = await openProcess({ service, now: () => now });
    const rotate = (options: object) => process.rotation().rotate('ES256', options);
    await expect(rotate({ soon: true })).rejects.toThrow('Create one at the service');
    await expect(rotate({})).rejects.toThrow('Create one at the service');
    const second = service.rotate('ES256');
    await process.refresh();
    await expect(rotate({ soon: true, drop: true })).rejects.toThrow('Disable the version that leaked there');
    await rotate({ soon: true });
    now += 2 * 3_600_000;
    await process.refresh();
    expect(process.signing()).toBe(second);
    const { keys } = process;
    await expect(keys.generate(signingSet, { alg: 'ES256' })).rejects.toThrow('A service holds the signing keys');
    await expect(keys.delete(signingSet, String(process.published()[1]))).rejects.toThrow('Disable the key there');
  });

  it('after the version that signs was disabled, the one before it signs, and the disabled one is published', async () => {
    let now = Date.now();
    const adapter = openMemoryAdapter();
    const service = createSigningService();
    const process = await openProcess({ service, adapter, now: () => now });
    const first = String(process.signing());
    const second = service.rotate('ES256');
    await process.refresh();
    now += 15 * day;
    await process.refresh();
    expect(process.signing()).toBe(second);
    service.disable(second);
    await process.refresh();
    expect([process.signing(), process.published()]).toEqual([first, [first, second]]);
    expect(process.changes().at(-1)).toMatchObject({ kid: second, state: 'missing', service: 'test-kms' });
    // A version that leaked is no longer published once it was deleted here.
    await process.keys.delete(signingSet, second);
    expect(process.published()).toEqual([first]);
  });

  it('a version that was enabled again is announced for a moment, so that the one between is retired in its time', async () => {
    let now = Date.now();
    const service = createSigningService();
    const process = await openProcess({ service, now: () => now });
    const first = String(process.signing());
    const second = service.rotate('ES256');
    for (const step of [0, 15, 1]) {
      now += step * day;
      await process.refresh();
    }
    service.disable(second);
    await process.refresh();
    now += 60 * day;
    await process.refresh();
    expect(process.signing()).toBe(first);
    service.enable(second);
    await process.refresh();
    expect(process.signing()).toBe(first);
    now += 2 * 3_600_000;
    await process.refresh();
    expect(process.published()).toEqual([second, first]);
    now += 15 * day;
    await process.refresh();
    expect(process.published()).toEqual([second]);
  });

  it('the last version that was disabled is published, and nothing is signed', async () => {
    const service = createSigningService();
    const process = await openProcess({ service });
    const kid = String(process.signing());
    service.disable(kid);
    await process.refresh();
    expect(process.published()).toEqual([kid]);
    await expect(process.opened.current().signerFor('ES256')?.sign(Buffer.from('data'))).rejects.toMatchObject({
      code: 'signer_unavailable',
    });
    expect(String(((await process.opened.problem()) as Error).cause)).toContain('no longer lists the key');
    service.enable(kid);
    await process.refresh();
    expect(await process.opened.current().signerFor('ES256')?.sign(Buffer.from('data'))).toHaveLength(64);
  });
});

describe('a process that starts', () => {
  it('the process uses the keys of the store while the service is away; the very first process cannot start', async () => {
    const adapter = openMemoryAdapter();
    const service = createSigningService();
    const kid = (await openProcess({ service, adapter })).signing();
    service.down = true;
    expect((await openProcess({ service, adapter })).signing()).toBe(kid);
    expect(await problemOf(openProcess({ service }))).toBe('signer_unavailable');
  });

  it('an algorithm without a key is refused, with the algorithms that have one', async () => {
    const service = createSigningService({ algorithms: ['ES256'] });
    expect(await problemOf(openProcess({ service, idTokenAlg: 'RS256' }))).toBe(
      'keys.idTokenAlg: is RS256, and the signing service has keys for ES256 only. Set ID_TOKEN_ALG to ES256, or create one.',
    );
    expect(await problemOf(openProcess({ service: createSigningService({ algorithms: [] }) }))).toContain(
      'lists no key that can sign',
    );
  });

  it('the start is refused when the service does not let it sign, or signs wrongly', async () => {
    const service = createSigningService();
    service.unfit = 'Grant the permission kms:Sign.';
    expect(await problemOf(openProcess({ service }))).toBe('keys.signer: Grant the permission kms:Sign.');
    service.unfit = undefined;
    service.signsWrongly = true;
    expect(await problemOf(openProcess({ service }))).toContain('does not verify');
  });
});

describe('a move', () => {
  it('from the store to a service: the key of the service is announced while the other signs', async () => {
    let now = Date.now();
    const adapter = openMemoryAdapter();
    const local = String((await openProcess({ adapter, source: 'store', now: () => now })).signing());
    const service = createSigningService();
    const process = await openProcess({ adapter, service, now: () => now });
    expect([process.signing(), process.published().length]).toEqual([local, 3]);
    now += 15 * day;
    await process.refresh();
    expect(process.signing()).not.toBe(local);
    expect(process.published()).toContain(local);
    now += 15 * day;
    await process.refresh();
    expect(process.published()).not.toContain(local);
  });

  it('a process that still runs with the service does not take the key of the service back', async () => {
    const adapter = openMemoryAdapter();
    const service = createSigningService();
    const external = await openProcess({ adapter, service });
    const remote = external.signing();
    const stored = await openProcess({ adapter, service, source: 'store' });
    await external.refresh();
    await stored.refresh();
    expect([external.signing(), stored.signing()]).toEqual([remote, remote]);
  });

  it('a process whose service is lost does not store a key again that an operator has removed', async () => {
    const adapter = openMemoryAdapter();
    const service = createSigningService();
    const process = await openProcess({ adapter, service });
    const inStore = async () => (await adapter.list({ kind: 'key', limit: 100 })).records;
    service.down = true;
    await adapter.commit((await inStore()).map((key) => ({ type: 'remove', key }) as const));
    await process.refresh()?.catch(() => undefined);
    expect(await inStore()).toEqual([]);
    service.down = false;
    await process.refresh();
    expect(await inStore()).toHaveLength(1);
  });

  it('back to the store: the key of the service signs until a key of the store was announced', async () => {
    let now = Date.now();
    const adapter = openMemoryAdapter();
    const service = createSigningService();
    const remote = String((await openProcess({ adapter, service, now: () => now })).signing());
    expect(await problemOf(openProcess({ adapter, source: 'store', now: () => now }))).toContain(
      'Set keys.signer (SIGNER) as well',
    );
    const process = await openProcess({ adapter, service, source: 'store', now: () => now });
    expect(process.signing()).toBe(remote);
    const signature = await process.opened.current().signerFor('ES256')?.sign(Buffer.from('data'));
    expect(signature).toHaveLength(64);
    now += 15 * day;
    await process.refresh();
    const local = process.signing();
    expect(local).not.toBe(remote);
    // The service is no longer needed, and its key is still published.
    const without = await openProcess({ adapter, source: 'store', now: () => now });
    expect([without.signing(), without.published().includes(remote)]).toEqual([local, true]);
    // And forth again: the version is announced once more.
    const again = await openProcess({ adapter, service, now: () => now });
    expect([again.signing(), again.published().includes(remote)]).toEqual([local, true]);
    now += 15 * day;
    await again.refresh();
    expect(again.signing()).toBe(remote);
  });
});

describe('a service that chooses its keys', () => {
  it('the choice of the service is used from the start, also if the key is new or was announced', async () => {
    const service = createSigningService({ namesKeys: true });
    const second = service.rotate('ES256');
    service.choose(second);
    const adapter = openMemoryAdapter();
    expect((await openProcess({ service, adapter })).signing()).toBe(second);
    const third = service.rotate('ES256');
    service.choose(third);
    expect((await openProcess({ service, adapter })).signing()).toBe(third);
  });

  it('signs a token once more, with the key that it has chosen in the header', async () => {
    const service = createSigningService({ namesKeys: true });
    const second = service.rotate('ES256');
    const process = await openProcess({ service });
    expect([process.signing(), process.published()]).toEqual(['named-1', ['named-1', second]]);
    service.choose(second);
    const signer = process.opened.current().signerFor('ES256');
    const before = service.signatures;
    const signed = await signer?.signInput?.((kid) => `header of ${kid}`);
    expect([signed?.input, service.signatures - before]).toEqual(['header of named-2', 2]);
    expect(
      process.opened
        .current()
        .verify('ES256', second, Buffer.from('header of named-2'), signed?.signature ?? Buffer.of()),
    ).toBe(true);
    // A header that is fixed is refused once: the next one has the other key.
    await expect(signer?.sign(Buffer.from('fixed'))).rejects.toMatchObject({ code: 'signer_unavailable' });
    await process.refresh();
    expect(process.signing()).toBe(second);
    expect(await process.opened.current().signerFor('ES256')?.sign(Buffer.from('fixed'))).toHaveLength(64);
  });
});
