import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishedPackages } from '../../../scripts/pack.mjs';
import type { NodeVersion } from '../user/environment.ts';
import { createFolder, npmInstall, runIn, writeFiles } from '../user/folder.ts';
import { startIn } from '../user/program.ts';

describe.each<NodeVersion>(['22', '24'])('@carnet/cli on Node %s', (node) => {
  let app = '';
  beforeAll(async () => {
    app = createFolder('command');
    await npmInstall(app, ['@carnet/cli'], { node });
    writeFiles(app, { 'accounts.yaml': 'accounts:\n  directories:\n    - { name: local, kind: sql }\n' });
  });

  const carnet = (...args: string[]): Promise<string> =>
    runIn(app, 'npx', ['carnet', ...args], { node, env: { DATABASE_URL: 'sqlite:carnet.db' } });

  test('prints its version', async () => {
    const manifest = publishedPackages().find(({ manifest: { name } }) => name === '@carnet/cli')?.manifest;
    expect((await carnet('version')).trim()).toBe(manifest?.version);
  });

  test('finds its stores', async () => {
    expect(await carnet('migrate', 'up')).toContain('applied');
    expect(existsSync(join(app, 'carnet.db'))).toBe(true);
  });

  test.each([
    ['adapter-postgres', ['migrate', 'status'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' }],
    ['adapter-mysql', ['migrate', 'status'], { DATABASE_URL: 'mysql://127.0.0.1:1/none' }],
    ['adapter-redis', ['migrate', 'status'], { DATABASE_URL: 'redis://127.0.0.1:1' }],
    [
      'signer-aws-kms',
      ['serve', '--dev'],
      { KEYS_SOURCE: 'external', SIGNER: 'awskms:///alias/carnet?region=eu-west-1' },
    ],
    ['signer-pkcs11', ['serve', '--dev'], { KEYS_SOURCE: 'external', SIGNER: 'pkcs11:token=carnet' }],
    ['consent-ui', ['ui'], {}],
  ])('names @carnet/%s where a setting needs it', async (name, args, env) => {
    const ports = { PORT: '0', ADMIN_PORT: '0' };
    const failed = runIn(app, 'npx', ['carnet', ...args], { node, env: { ...ports, ...env } });
    await expect(failed).rejects.toThrow(
      new RegExp(`@carnet/${name} is not installed. Run .npm install @carnet/${name}.`),
    );
  });

  test.each([
    ['serve', ['--dev', '--config', 'accounts.yaml'], '@carnet/accounts and @carnet/accounts-sql'],
    ['users', ['list', '--config', 'accounts.yaml'], '@carnet/accounts and @carnet/accounts-sql'],
    ['demo', [], '@carnet/accounts and @carnet/accounts-sql and @carnet/consent-ui'],
  ])('names every package that %s needs at once', async (command, args, names) => {
    const failed = runIn(app, 'npx', ['carnet', command, ...args], {
      node,
      env: { PORT: '0', ADMIN_PORT: '0', ACCOUNTS_DATABASE: 'sqlite:accounts.db' },
    });
    await expect(failed).rejects.toThrow(
      `The packages ${names} are not installed. Run \`npm install ${names.replaceAll(' and', '')}\`.`,
    );
  });

  test('serves', async () => {
    const env = { PORT: '0', ADMIN_PORT: '0', ALLOWED_HOSTS: '127.0.0.1:*' };
    const serving = await startIn(app, 'node_modules/.bin/carnet', ['serve', '--dev'], {
      node,
      env,
      ready: /^.*"msg":"ready".*$/m,
    });
    try {
      const { publicUrl } = JSON.parse(serving.ready[0]);
      expect(serving.output()).toContain('npm install @carnet/accounts @carnet/accounts-sql');
      expect((await fetch(`${publicUrl}/.well-known/openid-configuration`)).status).toBe(200);
    } finally {
      expect(await serving.stop()).toBe(0);
    }
  });
});
