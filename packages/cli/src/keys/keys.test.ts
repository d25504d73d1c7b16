import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { afterAll, describe, expect, it } from 'vitest';
import { runCarnet } from '../../test/run-carnet.ts';
import { exitCodes } from '../command.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Environment } from '../env.ts';
import { createSigningKeysReader } from './key-states.ts';

const folder = folderForTests();

const env: Environment = {
  ISSUER: 'https://op.example',
  DATABASE_URL: `sqlite:${join(folder, 'carnet.db')}`,
  SECRETS_SYSTEM: 'a system secret of the tests - long enough',
  URLS_LOGIN: 'https://app.example/login',
  URLS_CONSENT: 'https://app.example/consent',
  KEYS_SOURCE: 'store',
  KEYS_ALGORITHMS: 'ES256,EdDSA',
  ID_TOKEN_ALG: 'ES256',
};

const carnet = (argv: readonly string[], over: Environment = {}) => runCarnet(argv, { ...env, ...over });

/** The lines that a command prints. */
const linesOf = async (...args: Parameters<typeof carnet>) => (await carnet(...args)).out.split('\n');

interface ListedKey {
  readonly alg: string;
  readonly state: string;
}

/** Algorithm and state of each key, as listed. */
const listed = async () => {
  const { out } = await carnet(['keys', 'list', '--format', 'json']);
  return (JSON.parse(out) as readonly ListedKey[]).map(({ alg, state }) => `${alg} ${state}`).toSorted();
};

describe('carnet keys', () => {
  it('says when there are none yet', async () => {
    const { exitCode, out, err } = await carnet(['keys', 'list', '--quiet']);
    expect([exitCode, out]).toEqual([exitCodes.ok, '']);
    expect(err).toContain('the first process');
  });

  it('rotate makes the first keys, which sign', async () => {
    expect((await carnet(['keys', 'rotate'])).exitCode).toBe(exitCodes.ok);
    expect(await listed()).toEqual(['ES256 active', 'EdDSA active']);
  });

  it('rotate announces one more, once', async () => {
    const { out: line } = await carnet(['keys', 'rotate', '--alg', 'ES256']);
    expect(line).toMatch(/^ES256: \S{43} is announced, and signs from \S+Z\.$/);
    expect((await carnet(['keys', 'rotate', '--alg', 'ES256'])).out).toContain('is announced already');
    expect(await listed()).toEqual(['ES256 active', 'ES256 announced', 'EdDSA active']);
  });

  it('rotate --now makes another all the same, and --drop removes the others', async () => {
    await carnet(['keys', 'rotate', '--alg', 'ES256', '--now']);
    expect(await listed()).toEqual(['ES256 active', 'ES256 announced', 'ES256 announced', 'EdDSA active']);
    const { out: line } = await carnet(['keys', 'rotate', '--alg', 'ES256', '--now', '--drop']);
    expect(line).toContain('is the only key');
    expect(await listed()).toEqual(['ES256 active', 'EdDSA active']);
  });

  it('show no private part, nor does the store', async () => {
    const [head, ...rows] = await linesOf(['keys', 'list']);
    expect(head).toMatch(/^KEY ID +ALGORITHM +STATE +UNTIL$/);
    expect(rows.join('\n')).toMatch(/^(?:[\w-]{43} +(?:ES256|EdDSA) +active\n?){2}$/);
    expect(readFileSync(join(folder, 'carnet.db'), 'latin1')).not.toContain('"d"');
  });

  it.each([
    [['keys', 'rotate', '--drop'], {}, exitCodes.usage, '--drop goes with --now'],
    [['keys', 'rotate', '--alg', 'HS256'], {}, exitCodes.usage, '--alg must be one of'],
    [['keys', 'list'], { SECRETS_SYSTEM: 'another system secret of the tests' }, exitCodes.config, 'secrets.system'],
    [['keys', 'rotate'], { KEYS_SOURCE: '' }, exitCodes.config, 'Set KEYS_SOURCE to store'],
  ] as const)('%o are refused', async (argv, over, exitCode, problem) => {
    const refused = await carnet(argv, over);
    expect(refused.exitCode).toBe(exitCode);
    expect(refused.err).toContain(problem);
  });

  it('of a file go on signing when they are imported before the first start', async () => {
    const file = join(folder, 'old.json');
    await carnet(['keys', 'generate', '--out', file]);
    const { keys } = JSON.parse(readFileSync(file, 'utf8')) as { keys: { kid: string; d: string }[] };
    const over = { DATABASE_URL: `sqlite:${join(folder, 'imported.db')}` };
    expect((await carnet(['keys', 'import', file], over)).exitCode).toBe(exitCodes.ok);
    const again = await linesOf(['keys', 'import', file], over);
    expect(again.every((line) => line.endsWith('is already in the store.'))).toBe(true);
    const listing = JSON.parse((await carnet(['keys', 'list', '--format', 'json'], over)).out) as (ListedKey & {
      kid: string;
    })[];
    expect(listing.map(({ kid }) => kid).toSorted()).toEqual(keys.map(({ kid }) => kid).toSorted());
    expect(new Set(listing.map(({ state }) => state))).toEqual(new Set(['active']));
    for (const { d } of keys) expect(readFileSync(join(folder, 'imported.db'), 'latin1')).not.toContain(d);
  });

  it('of the access tokens of Hydra are published after an import, and the key that was imported last signs', async () => {
    const over = { DATABASE_URL: `sqlite:${join(folder, 'hydra.db')}` };
    for (const kid of ['access-token-key', 'id-token-key']) {
      const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
      const file = join(folder, `${kid}.json`);
      writeFileSync(file, JSON.stringify({ keys: [{ ...jwk, alg: 'RS256', use: 'sig', kid }] }));
      expect((await carnet(['keys', 'import', file], over)).exitCode).toBe(exitCodes.ok);
    }
    const { out } = await carnet(['keys', 'list', '--format', 'json'], over);
    const keys = JSON.parse(out) as readonly (ListedKey & { readonly kid: string })[];
    // Published keys sign, will sign, or have signed.
    expect(keys.map(({ kid, state }) => `${kid} ${state}`)).toEqual([
      'access-token-key active',
      'id-token-key announced',
    ]);
  });

  it('need the store, the secret and the keys of the configuration alone', async () => {
    const others = { ISSUER: 'http://not-https.example', URLS_LOGIN: '', URLS_CONSENT: '' };
    const { exitCode, err } = await carnet(['keys', 'list', '--quiet'], others);
    expect([exitCode, err]).toEqual([exitCodes.ok, '']);
    expect((await carnet(['keys', 'list'], { ...others, SECRETS_SYSTEM: '' })).err).toContain(
      'secrets.system: is missing',
    );
  });

  it('import a bare JWK, which `hydra get jwk` prints for a set of one key', async () => {
    const file = join(folder, 'generated.json');
    await carnet(['keys', 'generate', '--out', file]);
    const [key] = (JSON.parse(readFileSync(file, 'utf8')) as { keys: { kid: string }[] }).keys;
    const bare = join(folder, 'bare.json');
    writeFileSync(bare, JSON.stringify(key));
    const over = { DATABASE_URL: `sqlite:${join(folder, 'bare.db')}` };
    expect((await carnet(['keys', 'import', bare], over)).exitCode).toBe(exitCodes.ok);
    expect((await carnet(['keys', 'list', '--quiet'], over)).out).toBe(key?.kid);
  });

  it.each([
    ['no file', 'absent.json', undefined, "absent.json can't be read (ENOENT)"],
    ['an empty file', 'empty.json', ' \n', 'empty.json is empty. Name a file with a JWKS'],
    ['a JWKS without keys', 'keyless.json', '{"keys":[]}', 'is a JWKS without keys'],
    ['no JWKS', 'text.json', '{"d":"hidden', 'is neither a JWKS'],
    ['a public key', 'public.json', '{"keys":[{"kty":"EC","x":"hidden"}]}', 'key 1 is not a private key'],
  ])('import refuses %s, quoting nothing', async (_what, name, content, problem) => {
    if (content !== undefined) writeFileSync(join(folder, name), content);
    const { exitCode, err } = await carnet(['keys', 'import', join(folder, name)]);
    expect(exitCode).toBe(exitCodes.failed);
    expect(err).toContain(problem);
    expect(err).not.toContain('hidden');
  });

  it('of a file are listed, and not rotated', async () => {
    const file = join(folder, 'keys.json');
    await carnet(['keys', 'generate', '--out', file]);
    const over = { KEYS_SOURCE: '', KEYS_FILE: file, KEYS_ALGORITHMS: '' };
    expect(await linesOf(['keys', 'list', '--quiet'], over)).toHaveLength(3);
    expect((await carnet(['keys', 'rotate'], over)).err).toContain('not in the store');
  });
});

describe('the signing keys for the console', () => {
  const closing = new AbortController();
  afterAll(() => closing.abort());

  it('have the times of the store', async () => {
    await carnet(['keys', 'rotate']);
    const config = loadConfig({ env }).config;
    const found = await createSigningKeysReader(config, closing.signal)?.();
    expect(found).toMatchObject({ source: 'store', schedule: { active: config.keys.active } });
    const active = found?.keys.find(({ state }) => state === 'active');
    expect(active?.activeAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('are not read from a memory of their own', () => {
    const dev = { ...env, ISSUER: 'http://localhost:4444', DATABASE_URL: 'memory:' };
    const { config } = loadConfig({ env: dev, dev: true, workers: 1 });
    expect(createSigningKeysReader(config, closing.signal)).toBeUndefined();
  });
});
