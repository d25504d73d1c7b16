import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { expect, test } from 'vitest';
import { generateKeys } from '../../../provider/src/keys/sources/generate-keys.ts';
import { openEffectiveConfiguration } from './effective-config.ts';
import type { LoadOptions } from './load-config.ts';

const folder = folderForTests();
const secret = 'a system secret of the tests - long enough';
const jwks = generateKeys();
const keyFile = join(folder, 'keys.json');
writeFileSync(keyFile, JSON.stringify(jwks), { mode: 0o600 });

const text = `
issuer: https://op.example
urls: { login: https://app.example/login, consent: https://app.example/consent }
keys: { file: ${keyFile} }
clients: [{ client_id: shop, client_secret: the-secret-of-the-shop, redirect_uris: ['https://shop.example/cb'] }]
ttl: { accessToken: 30m }
`;

let count = 0;
const open = (over: Partial<LoadOptions> = {}) => {
  const file = join(folder, `carnet-${++count}.yaml`);
  writeFileSync(file, text);
  const env = {
    SECRETS_SYSTEM: secret,
    DATABASE_URL: 'postgres://carnet:pass-word-1@db.example/carnet',
    TTL_ID_TOKEN: '5m',
  };
  return { file, ...openEffectiveConfiguration({ file, env, production: true, ...over }) };
};

const settingsOf = async ({ configuration }: Pick<ReturnType<typeof open>, 'configuration'>) => {
  const { settings } = await configuration();
  return (key: string) => {
    const { value, source } = settings.find((setting) => setting.key === key) ?? {};
    return [value, source];
  };
};

test('each value has its source', async () => {
  const setting = await settingsOf(open({ workers: 3 }));
  expect(setting('issuer')).toEqual(['"https://op.example"', 'file']);
  expect(setting('ttl.accessToken')).toEqual(['1800', 'file']);
  expect(setting('ttl.idToken')).toEqual(['300', 'TTL_ID_TOKEN']);
  expect(setting('ttl.refreshToken')?.[1]).toBe('default');
  expect(setting('workers')).toEqual(['3', '--workers']);
  expect(setting('public.port')).toEqual(['4444', 'default']);
  expect(setting('keys.signer')).toEqual(['', 'default']);
});

test('values of development mode have a source of their own', async () => {
  const dev = openEffectiveConfiguration({ env: {}, dev: true });
  const setting = await settingsOf(dev);
  expect(setting('secrets.system')).toEqual(['["***"]', 'development mode']);
  expect(setting('dev')).toEqual(['true', '--dev']);
  expect(setting('public.port')[1]).toBe('default');
});

test('no secret is shown, also not one in the text of a change', async () => {
  const opened = open();
  const change = `secrets.system: [another secret that is long enough, ${secret}]\nstorage.default: postgres://u:new-pass-2@db/x\nadmin.token: token-of-the-admin-api`;
  const shown = JSON.stringify([
    await opened.configuration(),
    await opened.examineConfiguration(change, 'keys'),
    await opened.examineConfiguration(`secrets: [${secret}`, 'whole'),
    await opened.examineConfiguration(`issuer: [${secret}, x]`, 'keys'),
  ]);
  const secrets = [
    secret,
    'pass-word-1',
    'new-pass-2',
    'the-secret-of-the-shop',
    'another secret',
    'token-of-the-admin',
  ];
  for (const each of secrets) expect(shown).not.toContain(each);
  for (const { d } of jwks.keys) expect(shown).not.toContain(d);
});

test('a key with a value is added to the file: what changes, and what it needs', async () => {
  const { examineConfiguration } = open();
  expect(await examineConfiguration('ttl.accessToken: 1h', 'keys')).toEqual({
    problems: [],
    warnings: [],
    changes: [{ key: 'ttl.accessToken', before: '1800', after: '3600', concern: undefined }],
  });
  const { changes } = await examineConfiguration('issuer: https://other.example\nworkers: 2', 'keys');
  expect(changes.map(({ key, concern }) => [key, concern])).toEqual([
    ['issuer', 'issuer'],
    ['workers', undefined],
  ]);
});

test('a change of a value that a variable overrides is a warning, and no change', async () => {
  const examined = await open().examineConfiguration('ttl: { idToken: 1h }', 'keys');
  expect(examined.changes).toEqual([]);
  expect(examined.warnings).toEqual(['ttl.idToken: TTL_ID_TOKEN sets this key, and overrides the file.']);
});

test('problems are those of a start', async () => {
  const { examineConfiguration } = open();
  const problemsOf = async (given: string, scope: 'keys' | 'whole' = 'keys') =>
    (await examineConfiguration(given, scope)).problems.join('\n');
  expect(await problemsOf('ttl.acessToken: 1h')).toContain('Did you mean "accessToken"?');
  expect(await problemsOf('issuer: http://op.example')).toContain('https');
  expect(await problemsOf('issuer: https://op.example', 'whole')).toContain('urls.login');
  expect(await problemsOf('[')).toContain('is not valid YAML');
  expect(await problemsOf('- a')).toContain('must hold keys and values');
  expect(await problemsOf('keys.file: /etc/passwd')).toBe('');
});

test('a file that has changed since the start is a warning', async () => {
  const { file, configuration } = open();
  expect((await configuration()).warnings).toEqual([]);
  writeFileSync(file, text.replace('30m', '40m'));
  expect((await configuration()).warnings).toEqual([
    `${file}: has changed since this process started: ttl.accessToken. Restart to use it.`,
  ]);
  writeFileSync(file, 'issuer: [');
  expect((await configuration()).warnings.join()).toContain('is not valid YAML');
});
