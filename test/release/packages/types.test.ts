import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, test } from 'vitest';
import { createFolder, npmInstall, runIn } from '../user/folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const program = `
  import { createServer } from 'node:http';
  import { type Carnet, type ConfigInput, createProvider } from '@carnet/provider';
  import { parseConfig } from '@carnet/provider/config';
  const input: ConfigInput = { dev: true };
  const carnet: Carnet = await createProvider(parseConfig(input));
  createServer(carnet.callback());
  // @ts-expect-error: there is no such key
  await createProvider({ developer: true });`;

let app = '';
beforeAll(async () => {
  app = createFolder('typed', { 'typed.ts': program });
  await npmInstall(app, ['@carnet/provider', '@carnet/adapter-sqlite', '@types/node@24']);
});

test('@carnet/provider is typed', async () => {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024'];
  await runIn(app, join(root, 'node_modules/.bin/tsc'), [...options, '--types', 'node', '--ignoreConfig', 'typed.ts']);
});
