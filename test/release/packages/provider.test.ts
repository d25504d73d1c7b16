import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NodeVersion } from '../user/environment.ts';
import { createFolder, npmInstall, runIn, writeFiles } from '../user/folder.ts';

const serving = `
  import { createServer } from 'node:http';
  import { createProvider } from '@carnet/provider';
  const carnet = await createProvider({
    dev: true,
    storage: { default: 'sqlite:carnet.db' },
    http: { allowedHosts: ['127.0.0.1:*'] },
  });
  const server = createServer(carnet.callback()).listen(0, '127.0.0.1', async () => {
    const url = \`http://127.0.0.1:\${server.address().port}/.well-known/jwks.json\`;
    const { keys } = await (await fetch(url)).json();
    process.stdout.write(JSON.stringify(keys.map(({ kty }) => kty)));
    server.close();
    await carnet.close();
  });`;

const withoutMemory = `
  import { createProvider } from '@carnet/provider';
  const failed = await createProvider({ dev: true }).catch(({ name, message }) => name + ' ' + message);
  process.stdout.write(failed);`;

describe.each<NodeVersion>(['22', '24'])('an app with @carnet/provider and one adapter on Node %s', (node) => {
  let app = '';
  beforeAll(async () => {
    app = createFolder('app');
    await npmInstall(app, ['@carnet/provider', '@carnet/adapter-sqlite'], { node });
    writeFiles(app, { 'serving.js': serving, 'without-memory.js': withoutMemory });
  });

  test('mounts a provider', async () => {
    expect(await runIn(app, 'node', ['serving.js'], { node })).toContain('"RSA"');
    expect(existsSync(join(app, 'carnet.db'))).toBe(true);
  });

  test('has no command, no other adapter, and no dependency of the command', () => {
    expect(readdirSync(join(app, 'node_modules/@carnet')).toSorted()).toEqual([
      'adapter-contract',
      'adapter-sqlite',
      'provider',
      'signer-contract',
    ]);
    for (const name of ['openid-client', 'yaml', '.bin/carnet']) {
      expect(existsSync(join(app, 'node_modules', name))).toBe(false);
    }
  });

  test('learns which package to install for another store', async () => {
    expect(await runIn(app, 'node', ['without-memory.js'], { node })).toMatch(
      /^ConfigError .*`npm install @carnet\/adapter-memory`/s,
    );
  });
});
