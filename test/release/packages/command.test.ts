import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishedPackages } from '../../../scripts/pack.mjs';
import type { NodeVersion } from '../user/environment.ts';
import { createFolder, npmInstall, runIn } from '../user/folder.ts';
import { startIn } from '../user/program.ts';

describe.each<NodeVersion>(['22', '24'])('@carnet/cli on Node %s', (node) => {
  let app = '';
  beforeAll(async () => {
    app = createFolder('command');
    await npmInstall(app, ['@carnet/cli'], { node });
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
    ['adapter-postgres', 'openAdapter'],
    ['adapter-redis', 'openAdapter'],
    ['signer-aws-kms', 'openSigner'],
    ['signer-pkcs11', 'openSigner'],
  ])('brings @carnet/%s', async (name, exported) => {
    const program = `process.stdout.write(typeof (await import('@carnet/${name}')).${exported})`;
    expect(await runIn(app, 'node', ['--input-type=module', '--eval', program], { node })).toBe('function');
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
      expect((await fetch(`${publicUrl}/.well-known/openid-configuration`)).status).toBe(200);
    } finally {
      expect(await serving.stop()).toBe(0);
    }
  });
});
