import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config/load-config.ts';
import { runCarnet } from './run-carnet.ts';
import { main, startProgram } from './start-program.ts';

const folder = folderForTests();

/** A configuration file with these lines. */
const write = (name: string, ...lines: string[]): string => {
  const file = join(folder, name);
  writeFileSync(file, lines.join('\n'));
  return file;
};

const top = (name: string): readonly string[] => [
  'issuer: https://login.example.com',
  `storage: { default: "sqlite:${join(folder, name)}.db", migrate: true }`,
  'secrets: { system: ["0123456789abcdef0123456789abcdef"] }',
  'keys: { source: store }',
  'urls: { login: https://app.example.com/login, consent: https://app.example.com/consent }',
  'limits: { requestsPerSecond: 100 }',
];

const further: readonly string[] = [
  'issuers:',
  '  acme: { issuer: https://acme.example.com, ttl: { idToken: 600 } }',
  '  shop: { issuer: https://login.example.com/shop }',
];

const problemsOf = (file: string, env: Record<string, string> = {}): readonly string[] => {
  try {
    loadConfig({ file, env });
    return [];
  } catch (error) {
    return (error as { problems: string[] }).problems.map((text) => text.replaceAll(file, 'carnet.yaml'));
  }
};

describe('the section issuers', () => {
  it('gives each issuer the settings of the top level and its own', () => {
    const { config, issuers, warnings } = loadConfig({
      file: write('plain.yaml', ...top('plain'), ...further),
      env: {},
    });
    const acme = issuers.get('acme');
    expect([...issuers.keys()]).toEqual(['acme', 'shop']);
    expect(acme).toMatchObject({
      issuer: 'https://acme.example.com',
      ttl: { idToken: 600 },
      keys: { source: 'store' },
    });
    expect({ ...acme?.ttl, idToken: 0 }).toEqual({ ...config.ttl, idToken: 0 });
    expect(acme?.secrets).toEqual(config.secrets);
    expect(warnings).toEqual([]);
  });

  it('warns of an issuer with users of its own whose second factors are in the database of the top level', () => {
    const users = (file: string) => `[{ name: staff, kind: file, path: "${join(folder, file)}" }]`;
    const warningsWith = (own: string) => {
      const accounts = `accounts: { database: "sqlite:${join(folder, 'accounts.db')}", directories: ${users('first')} }`;
      const acme = `  acme: { issuer: https://acme.example.com, accounts: { ${own} } }`;
      return loadConfig({ file: write('users.yaml', ...top('users'), accounts, 'issuers:', acme), env: {} }).warnings;
    };
    const warning = expect.stringMatching(/^issuers\.acme\.accounts\.directories: .*Set accounts\.database, too\.$/);
    expect(warningsWith(`directories: ${users('acme')}`)).toEqual([warning]);
    const database = `database: "sqlite:${join(folder, 'acme.db')}"`;
    expect(warningsWith(`directories: ${users('acme')}, ${database}`)).toEqual([]);
    expect(warningsWith('revokeTokensOnPasswordChange: false')).toEqual([]);
  });

  it('reports the problems of all issuers at once, each with its place, and those of the top level once', () => {
    const file = write(
      'wrong.yaml',
      ...top('wrong').filter((line) => !line.startsWith('urls')),
      'ttl: { accessTokn: 5 }',
      'issuers:',
      '  acme: { issuer: https://acme.example.com, ttl: { idTokn: 600 }, storage: { default: "memory:" } }',
      '  shop: { pkce: { required: maybe } }',
      '  twin: { issuer: https://acme.example.com/ }',
      '  inner: { issuer: https://login.example.com/oauth2 }',
      '  Bad: { issuer: https://bad.example.com }',
    );
    const problems = problemsOf(file);
    expect(problems.filter((text) => text.includes('urls.login'))).toHaveLength(1);
    expect(problems.filter((text) => text.includes('accessTokn'))).toHaveLength(1);
    for (const expected of [
      /^carnet.yaml \(issuers.acme.ttl.idTokn\): is no key .*Did you mean "idToken"/,
      /^carnet.yaml \(issuers.acme.storage\): is the same for all issuers/,
      /^issuers.shop.issuer: is missing/,
      /^carnet.yaml \(issuers.shop.pkce.required\): must be/,
      /^carnet.yaml \(issuers.inner.issuer\): has a path at which the first issuer has endpoints/,
      /^carnet.yaml \(issuers.Bad\): is no name of an issuer/,
    ]) {
      expect(problems).toContainEqual(expect.stringMatching(expected));
    }
  });

  it('refuses two issuers at one URL', () => {
    const file = write(
      'twins.yaml',
      ...top('twins'),
      'issuers:',
      '  a: { issuer: https://a.example.com }',
      '  b: { issuer: https://a.example.com }',
    );
    expect(problemsOf(file)).toEqual([
      'carnet.yaml (issuers.b.issuer): is also the URL of the issuer "a". Give each issuer a host or a path of its own.',
    ]);
  });

  it('refuses two issuers that differ in the port alone, because browsers send their cookies to both', () => {
    const file = write(
      'ports.yaml',
      ...top('ports'),
      'issuers:',
      '  a: { issuer: "https://login.example.com:8443" }',
      '  b: { issuer: "https://login.example.com:8443/b" }',
      '  c: { issuer: "https://c.example.com:8443" }',
      '  d: { issuer: "https://login.example.com:9443/b" }',
    );
    expect(problemsOf(file)).toEqual(
      [
        ['a', 'the first issuer'],
        ['d', 'the issuer "b"'],
      ].map(
        ([name, other]) =>
          `carnet.yaml (issuers.${name}.issuer): differs from the URL of ${other} in the port alone, so that browsers send the cookies of both to both. Give each issuer a host or a path of its own.`,
      ),
    );
  });

  it('names the variable of the issuer for a missing secret of its client', () => {
    const client = 'redirect_uris: [https://shop.example.com/cb]';
    const file = write(
      'secretless.yaml',
      ...top('secretless'),
      'issuers:',
      `  acme: { issuer: https://acme.example.com, clients: [{ client_id: shop, ${client} }, { client_id: shop-2, ${client} }] }`,
    );
    const secrets = { ISSUER_ACME_CLIENT_SHOP_SECRET: 'a secret of the shop, long enough' };
    const [problem = '', ...others] = problemsOf(file, secrets);
    expect(others).toEqual([]);
    expect(problem).toMatch(/^carnet.yaml \(issuers.acme.clients.1.client_secret of "shop-2"\): is missing/);
    expect(problem).toContain('reads the variable ISSUER_ACME_CLIENT_SHOP_2_SECRET,');
    expect(problem).toContain('the file that ISSUER_ACME_CLIENT_SHOP_2_SECRET_FILE names');
    expect(problemsOf(file, { ...secrets, ISSUER_ACME_CLIENT_SHOP_2_SECRET: 'a secret of the second shop' })).toEqual(
      [],
    );
  });

  it('takes variables for the settings and secrets of an issuer, and reports misspelled ones', () => {
    const file = write(
      'variables.yaml',
      ...top('variables'),
      'issuers:',
      '  acme-eu:',
      '    issuer: https://acme.example.com',
      '    clients: [{ client_id: shop, redirect_uris: [https://shop.example.com/cb] }]',
    );
    const env = {
      ISSUER_ACME_EU_TTL_ID_TOKEN: '900',
      ISSUER_ACME_EU_CLIENT_SHOP_SECRET: 'a secret of the shop, long enough',
      ISSUER_ACME_EU_TTL_IDTOKEN: '900',
    };
    const { config, issuers, warnings } = loadConfig({ file, env });
    expect(issuers.get('acme-eu')?.ttl.idToken).toBe(900);
    expect(issuers.get('acme-eu')?.clients[0]).toMatchObject({ client_secret: env.ISSUER_ACME_EU_CLIENT_SHOP_SECRET });
    expect(config.ttl.idToken).not.toBe(900);
    expect(config.clients).toEqual([]);
    expect(warnings).toEqual([
      'ISSUER_ACME_EU_TTL_IDTOKEN: is not a variable of Carnet and has no effect. Did you mean ISSUER_ACME_EU_TTL_ID_TOKEN?',
    ]);
    expect(problemsOf(file, { ...env, ISSUER_ACME_EU_TTL_ID_TOKEN: 'soon' }).slice(1)).toEqual([
      expect.stringMatching(/^ISSUER_ACME_EU_TTL_ID_TOKEN \(issuers.acme-eu.ttl.idToken\): /),
    ]);
  });

  it('warns if no limit keeps one issuer from slowing the others', () => {
    const file = write('unlimited.yaml', ...top('unlimited').slice(0, -1), ...further);
    expect(loadConfig({ file, env: {} }).warnings).toEqual([
      expect.stringContaining('limits.requestsPerSecond: is not set: a flood of requests to one issuer'),
    ]);
  });

  it('prints the differences of each issuer, or one issuer as a whole, and no secrets', async () => {
    const secret =
      '    clients: [{ client_id: shop, client_secret: a hidden secret of the shop, redirect_uris: [https://shop.example.com/cb] }]';
    const file = write(
      'print.yaml',
      ...top('print'),
      'issuers:',
      '  acme:',
      '    issuer: https://acme.example.com',
      secret,
    );
    const all = await runCarnet(['config', 'print', '--config', file]);
    expect(JSON.parse(all.out)).toMatchObject({
      issuer: 'https://login.example.com',
      issuers: { acme: { issuer: 'https://acme.example.com', clients: [{ client_id: 'shop' }] } },
    });
    expect(JSON.parse(all.out).issuers.acme).not.toHaveProperty('ttl');
    const one = await runCarnet(['config', 'print', '--config', file, '--issuer', 'acme']);
    expect(JSON.parse(one.out)).toMatchObject({ issuer: 'https://acme.example.com', keys: { source: 'store' } });
    expect(all.out + one.out).not.toContain('hidden');
    expect((await runCarnet(['config', 'print', '--config', file, '--issuer', 'nobody'])).err).toContain(
      'the section issuers has no "nobody". It has acme.',
    );
  });

  it('lets carnet migrate up bring the accounts database of each issuer up to date', async () => {
    const database = (name: string) =>
      `accounts: { database: "sqlite:${join(folder, name)}.db", directories: [{ name: users, kind: sql }] }`;
    const acme = [`    issuer: https://acme.example.com`, `    ${database('acme-users')}`];
    const file = write(
      'migrate.yaml',
      ...top('migrate'),
      database('first-users'),
      'issuers:',
      '  acme:',
      ...acme,
      ...further.slice(2),
    );
    const { out, exitCode } = await runCarnet(['migrate', 'up', '--config', file]);
    expect({ exitCode, titles: out.split('\n').filter((line) => line.includes('(accounts)')) }).toEqual({
      exitCode: 0,
      titles: [expect.stringContaining('first-users.db'), expect.stringContaining('acme-users.db')],
    });
  });

  it('gives each issuer keys of its own, which the commands list and rotate by its name', async () => {
    const file = write('keys.yaml', ...top('keys'), ...further);
    const args = ['--config', file, '--issuer', 'acme'];
    expect(await runCarnet(['keys', 'rotate', ...args, '--alg', 'ES256'])).toMatchObject({ exitCode: 0, err: '' });
    const listed = async (...more: string[]) => (await runCarnet(['keys', 'list', '--format', 'json', ...more])).out;
    expect(JSON.parse(await listed(...args))).toHaveLength(1);
    expect(await listed('--config', file)).toBe('[]');
    expect(await listed('--config', file, '--issuer', 'shop')).toBe('[]');
  });
});

describe.each(['1', '2'])('carnet serve with %s worker(s) and several issuers', (workers) => {
  it('serves each by its path, with admin tokens of its own, and writes the name of the issuer into its log', async () => {
    const file = write(
      `serve-${workers}.yaml`,
      `storage: { default: "sqlite:${join(folder, `serve-${workers}`)}.db" }`,
      'issuer: http://127.0.0.1:4999',
      'http: { allowedHosts: ["127.0.0.1:*"] }',
      'admin: { token: a-token-of-all-issuers-1, tokens: [{ name: acme-ops, rights: [all], issuers: [acme], value: a-token-of-acme-only-1 }] }',
      'issuers: { acme: { issuer: "http://127.0.0.1:4999/acme" } }',
    );
    const env = { PORT: '0', ADMIN_PORT: '0' };
    const { child, lines, line, exited } = startProgram(
      main,
      ['serve', '--dev', '--workers', workers, '--config', file],
      env,
    );
    const { publicUrl, adminUrl } = JSON.parse(await line('"msg":"ready"'));
    const document = await fetch(`${publicUrl}/acme/.well-known/openid-configuration`);
    expect(await document.json()).toMatchObject({ issuer: 'http://127.0.0.1:4999/acme' });
    const first = await fetch(`${publicUrl}/.well-known/openid-configuration`);
    expect(await first.json()).toMatchObject({ issuer: 'http://127.0.0.1:4999' });
    expect((await fetch(`${publicUrl}/health/ready`)).status).toBe(200);

    const status = async (path: string, token: string): Promise<number> =>
      (await fetch(`${adminUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status('/issuers/acme/admin/clients', 'a-token-of-acme-only-1')).toBe(200);
    expect(await status('/admin/clients', 'a-token-of-acme-only-1')).toBe(200);
    expect(await status('/issuers/acme/admin/clients', 'a-token-of-all-issuers-1')).toBe(200);
    expect(await status('/issuers/acme/admin/clients', 'another-token-of-nobody')).toBe(401);
    const token = { ADMIN_TOKEN: 'a-token-of-acme-only-1' };
    const created = await runCarnet(
      [
        'create',
        'client',
        '-e',
        adminUrl,
        '--issuer',
        'acme',
        '--redirect-uri',
        'https://app.example.com/cb',
        '--format',
        'json',
      ],
      token,
    );
    expect(created).toMatchObject({ exitCode: 0, err: '' });
    const { client_id: id } = JSON.parse(created.out);
    const get = (...args: string[]) =>
      runCarnet(['get', 'client', id, '-e', adminUrl, ...args], { ADMIN_TOKEN: 'a-token-of-all-issuers-1' });
    expect(await get('--issuer', 'acme')).toMatchObject({ exitCode: 0 });
    expect(await get()).toMatchObject({ exitCode: 1 });
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    const ofAcme = lines.filter((each) => each.includes('"issuer":"acme"') && each.includes('openid-configuration'));
    expect(ofAcme).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toContain('acme');
  });
});
