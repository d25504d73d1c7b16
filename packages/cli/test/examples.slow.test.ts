import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createPasswordHashing } from '@carnet/accounts/directory';
import { findFreePort, startVault, type Vault } from '@carnet/test-servers';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { listen } from '@carnet/test-servers/listen';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAssertionIssuer } from '../../provider/test/assertions.ts';
import { createBrowser, locationOf } from '../../provider/test/browser.ts';
import { type DeviceCodes, deviceConfig, deviceMetadata, letIn } from '../../provider/test/device.ts';
import { type Instance, start } from '../../provider/test/harness.ts';
import { begin, decideAll } from '../../provider/test/login.ts';
import { commands } from '../src/run.ts';
import { hydraFiles } from './from-hydra/examples.ts';
import { main } from './start-program.ts';

const secret = 'a-secret-of-the-examples';

/** What is run in this order, before all others; the rest in the order of the help, deletions last. */
const order = [
  'create client',
  'list clients',
  'get client',
  'update client',
  'perform',
  'introspect',
  'revoke',
  'import',
];
const rank = (name: string): number => {
  if (name.startsWith('delete')) return order.length + (name === 'delete access-tokens' ? 1 : 2);
  const place = order.findIndex((one) => name.startsWith(one));
  return place === -1 ? order.length : place;
};

/** They serve until they are stopped; tests of their own start them. */
const servers = ['serve', 'ui', 'console', 'demo'];

/** The settings that an example needs. */
const settings: Readonly<Record<string, string>> = { 'keys unseal': 'export KEYS_SEALED_BY=vault:transit/seal; ' };

/** What they find may be wrong: 1 is an answer. */
const findings = ['doctor', 'health', 'store copy'];

const examples = commands
  .flatMap(({ name, examples: lines = [] }) => lines.map((line) => ({ name, line })))
  .filter(({ name }) => !servers.includes(name))
  .toSorted((one, other) => rank(one.name) - rank(other.name));

interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

describe('the examples of the help', () => {
  const folder = folderForTests();
  let instance: Instance;
  let vault: Vault;
  let stopReceiver: () => Promise<void>;
  let port: number;
  let accessToken = '';

  beforeAll(async () => {
    const usersFile = join(folder, 'staff.json');
    const passwordHash = await createPasswordHashing().hash(secret, 'ada');
    writeFileSync(usersFile, JSON.stringify([{ subject: 'ada', logins: ['ada'], passwordHash }]));
    writeFileSync(join(folder, 'password.txt'), `${secret}\n`);
    const staff = { name: 'staff', kind: 'file' as const, path: usersFile };
    const staffAccounts = { directories: [staff], secondFactors: { policy: 'none' as const } };
    const served = {
      ...staffAccounts,
      database: `sqlite:${join(folder, 'served.db')}`,
      directories: [staff, { name: 'users', kind: 'sql' as const }],
      // No server listens there: emails are sent in the background.
      mail: { url: `smtp://127.0.0.1:${await findFreePort()}?tls=none`, from: 'id@op.example' },
    };
    const receiver = await listen((_request, response) => void response.writeHead(204).end());
    stopReceiver = receiver.close;
    const events = { webhooks: [{ name: 'crm', url: receiver.origin, secret: `whsec_${'A'.repeat(43)}=` }] };
    instance = await start({ config: { ...deviceConfig, accounts: served, events } });
    port = await findFreePort();
    vault = await startVault();
    vault.addKey('seal', 'aes256-gcm96');
    const script = join(folder, 'carnet');
    writeFileSync(
      script,
      `#!/bin/sh\nexec "${process.execPath}" --conditions=@carnet/source --disable-warning=ExperimentalWarning "${main}" "$@"\n`,
    );
    chmodSync(script, 0o755);
    writeFileSync(join(folder, 'secret.txt'), `${secret}\n`);
    const configuration = {
      issuer: 'https://op.example',
      storage: { default: 'sqlite:carnet.db' },
      secrets: { system: ['a system secret of the examples - long enough'] },
      urls: { login: 'https://app.example/login', consent: 'https://app.example/consent' },
      keys: { source: 'store' },
      accounts: staffAccounts,
    };
    // JSON is YAML.
    writeFileSync(join(folder, 'carnet.yaml'), JSON.stringify(configuration));
    const directories = [{ name: 'local', kind: 'sql' }];
    const accounts = { database: 'sqlite:accounts.db', directories };
    writeFileSync(join(folder, 'accounts.yaml'), JSON.stringify({ accounts }));
    writeFileSync(join(folder, 'users.jsonl'), JSON.stringify({ email: 'ada@example.com', claims: { name: 'Ada' } }));
    writeFileSync(join(folder, 'hydra.yml'), String(hydraFiles['the five minute quickstart']));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { jwk, issuer } = await createAssertionIssuer();
    writeFileSync(join(folder, 'issuer-keys.json'), JSON.stringify({ keys: [jwk] }));
    const expires_at = new Date(Date.now() + 9e5).toISOString();
    const trusted = { issuer, allow_any_subject: true, scope: ['read'], public_key: { kid: jwk.kid }, expires_at };
    writeFileSync(join(folder, 'issuers.json'), JSON.stringify([trusted]));
    writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(join(folder, 'key.json'), JSON.stringify({ ...privateKey.export({ format: 'jwk' }), alg: 'ES256' }));
  });
  afterAll(async () => {
    await instance.stop();
    await stopReceiver();
    await vault.close();
  });

  const environment = () => ({
    PATH: `${folder}:${process.env.PATH}`,
    CARNET_ADMIN_URL: instance.admin,
    CARNET_URL: instance.issuer,
    TOKEN: accessToken,
    VAULT_ADDR: vault.url,
    VAULT_TOKEN: vault.token(),
  });

  /** The default port may be somebody's: another one stands for it everywhere. */
  const withFreePort = (line: string): string =>
    line
      .replaceAll('4446', String(port))
      .replace('perform authorization-code', `perform authorization-code --port ${port}`);

  const shell = async (line: string, meanwhile?: (child: ReturnType<typeof spawn>) => Promise<void>): Promise<Ran> => {
    const child = spawn('sh', ['-c', withFreePort(line)], { cwd: folder, env: environment(), stdio: 'pipe' });
    child.stdin.end();
    const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
    const closed = once(child, 'close');
    // A command that has ended already has said why.
    await Promise.race([meanwhile?.(child), closed]);
    const [exitCode] = await closed;
    const [out, err] = await outputs;
    return { exitCode: Number(exitCode), out, err };
  };

  const firstOutput = ({ stderr }: ReturnType<typeof spawn>, part: RegExp): Promise<string> =>
    new Promise((resolve) => {
      let seen = '';
      stderr?.on('data', (chunk) => {
        seen += String(chunk);
        const found = part.exec(seen)?.[1];
        if (found !== undefined) resolve(found);
      });
    });

  /** What the person at the browser does. */
  const logIn = async (child: ReturnType<typeof spawn>): Promise<void> => {
    const startUrl = await firstOutput(child, /Open (\S+) in your browser/);
    const browser = createBrowser();
    const authorization = (await fetch(startUrl, { redirect: 'manual' })).headers.get('location') ?? '';
    const challenge = await begin(browser, authorization);
    const consent = { grant_scope: ['openid', 'offline_access'] };
    const end = locationOf(await browser.get(await decideAll(instance, browser, challenge, { consent })));
    expect(end.origin).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(end)).status).toBe(200);
  };

  /** What the person does who has the code of a device. */
  const letDeviceIn = async (child: ReturnType<typeof spawn>): Promise<void> => {
    const user_code = await firstOutput(child, /compare the code there with (\S+)\. /);
    const { status } = await letIn(instance, { user_code } as DeviceCodes, {
      consent: { grant_scope: ['openid', 'offline_access'] },
    });
    expect(status).toBeLessThan(400);
  };

  const meanwhile: Readonly<Record<string, typeof logIn>> = {
    'perform authorization-code': logIn,
    'perform device-code': letDeviceIn,
  };

  /** What has to be true before an example is. */
  const prepare = async (name: string, line: string): Promise<void> => {
    const call = (method: string, path: string, body?: object) =>
      fetch(`${instance.admin}/admin${path}`, { method, body: body && JSON.stringify(body) });
    if (name === 'get client') {
      const patch = [{ op: 'add', path: '/client_secret', value: secret }];
      for (const id of ['shop', 'machine']) await call('PATCH', `/clients/${id}`, patch);
    }
    if (name === 'perform device-code') {
      const metadata = { ...deviceMetadata, token_endpoint_auth_method: 'none' };
      await call('POST', '/clients', { client_id: 'tv', ...metadata });
    }
    if (name === 'update client')
      await call('PATCH', '/clients/machine', [{ op: 'add', path: '/scope', value: 'read' }]);
    // The user of the examples is a user of the server, too, until an example deletes it.
    if (/^(?:users|groups) /.test(name)) await call('POST', '/users', { email: 'demo@example.com' });
    // Whoever is listed is already in the store.
    if (name === 'import client') for (const id of ['shop', 'machine', 'app']) await call('DELETE', `/clients/${id}`);
    if (name === 'delete client' && line.includes('shop')) {
      for (const id of ['shop', 'machine']) await call('POST', '/clients', { client_id: id });
    }
  };

  test('are there for every command', () => {
    expect(commands.filter(({ examples: lines }) => lines === undefined).map(({ name }) => name)).toEqual([]);
  });

  test.each(examples)('$line', async ({ name, line }) => {
    await prepare(name, line);
    const { exitCode, out, err } = await shell(`${settings[name] ?? ''}${line}`, meanwhile[name]);
    if (findings.includes(name)) expect([0, 1]).toContain(exitCode);
    else expect({ exitCode, err: exitCode === 0 ? '' : err }).toEqual({ exitCode: 0, err: '' });
    expect(out + err).not.toContain(secret);
    if (line.includes('--format json') && !line.includes('>')) expect(() => JSON.parse(out)).not.toThrow();
    if (name === 'perform client-credentials' && line.includes('--quiet')) accessToken = out.trim();
    if (name === 'introspect token') expect(out).toMatch(/ACTIVE +true|"active": true/);
    if (name === 'revoke token') {
      expect((await shell('carnet introspect token $TOKEN --format json')).out).toContain('{"active":false}');
    }
  });
});
