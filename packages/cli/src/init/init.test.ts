import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { expect, it } from 'vitest';
import { runCarnet } from '../../test/run-carnet.ts';
import { describedSettings } from '../config/described-settings.ts';
import { loadConfig } from '../config/load-config.ts';

const parent = folderForTests();

const init = async (...options: string[]) => {
  const folder = join(mkdtempSync(join(parent, 'x-')), 'new');
  return { folder, ...(await initIn(folder, ...options)) };
};

const initIn = async (folder: string, ...options: string[]) => {
  const { exitCode, out, err } = await runCarnet(['init', '--out', folder, ...options]);
  return { exitCode, said: out + err };
};

const load = (folder: string) => {
  const env = readdirSync(folder).includes('carnet.env')
    ? parseEnv(readFileSync(join(folder, 'carnet.env'), 'utf8'))
    : {};
  return loadConfig({ file: join(folder, 'carnet.yaml'), env: { ...env, CARNET_STRICT: '1' } });
};

it('writes a configuration that is accepted as it is', async () => {
  const { folder, exitCode, said } = await init();
  expect(exitCode).toBe(0);
  expect(said).toContain('1. Set issuer and urls');
  const { config, warnings } = load(folder);
  expect(warnings).toEqual([]);
  expect(config).toMatchObject({
    dev: false,
    issuer: 'https://login.example.com',
    storage: { default: 'sqlite:carnet.db' },
    urls: { login: 'https://login.example.com/login', device: { success: 'https://login.example.com/device/success' } },
    accounts: { database: 'sqlite:accounts.db', directories: [{ name: 'users', kind: 'sql' }] },
  });
  expect(config.admin.token).toMatch(/^[\da-f]{64}$/);
});

it('takes issuer, store and pages from its options, and writes no password into the configuration', async () => {
  const store = 'postgres://carnet:hidden-1@db/carnet';
  const { folder, said } = await init(
    '--issuer',
    'https://id.test/op',
    '--store',
    store,
    '--pages',
    'https://app.test/auth/',
  );
  expect(said).not.toMatch(/hidden|Set issuer/);
  expect(readFileSync(join(folder, 'carnet.yaml'), 'utf8')).not.toContain('hidden-1');
  expect(load(folder).config).toMatchObject({
    issuer: 'https://id.test/op',
    storage: { default: store },
    urls: { login: 'https://app.test/auth/login' },
  });
  expect(load(folder).config.accounts).toBeUndefined();
  expect(load((await init('--store', store)).folder).config.accounts?.database).toBe(store);
});

it('quotes a URL, so that a shell that loads the file runs no part of it', async () => {
  const store = "postgres://carnet:a$(echo%20b)'c@db/carnet?sslmode=verify-full&application_name=x";
  const { folder } = await init('--store', store);
  const sourced = execFileSync('/bin/sh', ['-c', 'set -a; . ./carnet.env; printf %s "$DATABASE_URL"'], {
    cwd: folder,
    env: {},
    encoding: 'utf8',
  });
  expect(sourced).toBe(store.replace("'", '%27'));
  expect(load(folder).config.storage.default).toBe(sourced);
});

it('writes secrets into a file that only this user can read', async () => {
  const { folder } = await init();
  expect(statSync(join(folder, 'carnet.env')).mode & 0o777).toBe(0o600);
  const { secrets, admin } = load(folder).config;
  const yaml = readFileSync(join(folder, 'carnet.yaml'), 'utf8');
  for (const secret of [...secrets.system, admin.token]) expect(yaml).not.toContain(secret);
  expect(load((await init()).folder).config.secrets).not.toEqual(secrets);
});

it('writes a configuration for development', async () => {
  const { folder } = await init('--dev');
  expect(readdirSync(folder)).toEqual(['carnet.yaml']);
  expect(load(folder).config).toMatchObject({ dev: true, issuer: 'http://127.0.0.1:4444' });
});

it('writes about 30 lines for development, each section of which is accepted, and names the commands that start it', async () => {
  const { folder, said } = await init('--dev');
  expect(said).toContain('npx carnet serve --config');
  expect(said).toContain('npx carnet ui');
  const file = join(folder, 'carnet.yaml');
  const yaml = readFileSync(file, 'utf8');
  expect(yaml).toContain('carnet init --all');
  expect(yaml.split('\n').length).toBeLessThan(36);
  writeFileSync(file, yaml.replaceAll(/^# ((?: *- | {2,})?\w+:)/gm, '$1').replaceAll(/^# ( +)/gm, '$1'));
  expect(load(folder).config).toMatchObject({
    clients: [{ client_id: 'shop' }],
    urls: { login: 'http://localhost:3000/login' },
    storage: { default: 'postgres://carnet:password@localhost/carnet' },
    ttl: { refreshToken: 2_592_000 },
  });
  expect((await init('--dev', '--all')).said).toContain('npx carnet ui');
});

it('prints steps that work as they stand, from any folder', async () => {
  const { folder, said } = await init('--store', 'sqlite:carnet.db');
  const line = /Load the secrets: (.*)/.exec(said)?.[1] ?? '';
  const sourced = execFileSync('/bin/sh', ['-c', `${line}; printf %s "$SECRETS_SYSTEM"`], {
    env: {},
    encoding: 'utf8',
  });
  expect(sourced).toBe(load(folder).config.secrets.system[0]);
  expect(said).toContain(`npx carnet doctor --config ${join(folder, 'carnet.yaml')}`);
});

it('lists what production needs besides the configuration', async () => {
  const { folder, said } = await init();
  for (const step of ['TLS', 'accounts.mail', 'npx carnet doctor']) expect(said).toContain(step);
  expect(readFileSync(join(folder, 'carnet.yaml'), 'utf8').split('\n').length).toBeLessThan(60);
});

it.each(['carnet.yaml', 'carnet.env'])('overwrites no %s, and then writes no other file', async (name) => {
  const folder = mkdtempSync(join(parent, 'old-'));
  writeFileSync(join(folder, name), 'kept');
  const { exitCode, said } = await initIn(folder);
  expect([exitCode, said]).toEqual([1, expect.stringContaining(`${name} already exists`)]);
  expect(readdirSync(folder)).toEqual([name]);
  expect(readFileSync(join(folder, name), 'utf8')).toBe('kept');
});

/** The file with all settings that have a default, and the sections around them. */
const uncommented = (yaml: string): string => {
  const keys = describedSettings()
    .filter((setting) => setting.default !== undefined)
    .map(({ key }) => key);
  const path: string[] = [];
  const uncomment = (line: string): string => {
    const {
      before = '',
      after = '',
      name = '',
      value = '',
    } = /^(?<before> *)# (?<after> *)(?<name>\w+):(?<value> .*)?$/.exec(line)?.groups ??
    /^(?<before> *)(?<name>\w+):(?<value> .*)?$/.exec(line)?.groups ??
    {};
    const depth = (before.length + after.length) / 2;
    const key = [...path.slice(0, depth), name].join('.');
    if (name === '' || !keys.some((other) => other === key || other.startsWith(`${key}.`))) return line;
    path.splice(depth, path.length, name);
    return `${before}${after}${name}:${value}`;
  };
  return yaml.split('\n').map(uncomment).join('\n');
};

it('explains every setting with --all, and is still accepted when all defaults are uncommented', async () => {
  const { folder } = await init('--all');
  const file = join(folder, 'carnet.yaml');
  const yaml = readFileSync(file, 'utf8');
  for (const { key } of describedSettings())
    expect(yaml, key).toMatch(new RegExp(`^[# ]*${key.split('.').at(-1)}:`, 'm'));
  const before = load(folder).config;
  expect(uncommented(yaml)).toMatch(/^ttl:\n[\s\S]*^ {2}idToken: 3600$/m);
  writeFileSync(file, uncommented(yaml));
  expect(load(folder).config).toEqual(before);
});

it.each([
  [['--dev', '--issuer', 'https://a.test'], '--dev needs no --issuer'],
  [['--issuer', 'a.test'], '--issuer must be an http or https URL'],
  [['--pages', 'mine'], '--pages must be an http or https URL, or bundled'],
])('refuses %j', async (options, problem) => {
  expect(await init(...options)).toMatchObject({ exitCode: 2, said: expect.stringContaining(problem) });
});
