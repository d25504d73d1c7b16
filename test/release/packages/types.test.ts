import { beforeAll, describe, expect, test } from 'vitest';
import { publishedPackages } from '../../../scripts/pack.mjs';
import { createFolder, npmInstall, runIn, writeFiles } from '../user/folder.ts';
import { manifestOf } from './packument.ts';

/** The compilers, by their names in the folders of the consumers. */
const compilers = { 'typescript-5.9': '5.9', 'typescript-7': '7.0.2' };

/** The oldest types that fit the oldest Node.js of `engines`, and the newest. `npm run types` has those between. */
const nodeTypes = ['22.16', 'latest'];

const names = publishedPackages().map(({ manifest }) => manifest.name);

/** Every specifier that a consumer can import from a package: `@carnet/provider`, `@carnet/provider/config` ... */
const specifiersOf = async (name: string): Promise<readonly string[]> =>
  Object.keys((await manifestOf(name)).exports ?? {})
    .filter((subpath) => !subpath.endsWith('.json'))
    .map((subpath) => name + subpath.slice(1));

const options = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2024', '--lib', 'es2024,dom'];

const compile = (folder: string, compiler: string, ...args: readonly string[]): Promise<string> =>
  runIn(folder, 'node', [`node_modules/${compiler}/bin/tsc`, ...options, '--types', 'node', ...args]);

const aliases = Object.entries(compilers).map(([name, version]) => `${name}@npm:typescript@${version}`);

describe.each(nodeTypes)('a consumer of every package, with @types/node %s', (types) => {
  let folder = '';
  beforeAll(async () => {
    folder = createFolder(`typed-${types}`);
    await npmInstall(folder, [...names, ...aliases, `@types/node@${types}`]);
    const specifiers = (await Promise.all(names.map(specifiersOf))).flat();
    expect(specifiers.length).toBeGreaterThan(names.length);
    const imports = specifiers.map((specifier, index) => `export * as each${index} from '${specifier}';`);
    writeFiles(folder, { 'every-subpath.ts': imports.join('\n') });
  });

  describe.each(Object.keys(compilers))('with %s', (compiler) => {
    test.each([
      ['nodenext', ['--module', 'nodenext']],
      ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
    ])('finds the types of every subpath by %s, without skipLibCheck', async (_name, resolution) => {
      await compile(folder, compiler, ...resolution, 'every-subpath.ts');
    });
  });
});

describe('an app without accounts', () => {
  const app = `
    import { createServer } from 'node:http';
    import { type Carnet, type ConfigInput, createProvider } from '@carnet/provider';
    import { parseConfig } from '@carnet/provider/config';
    const input: ConfigInput = { dev: true };
    const carnet: Carnet = await createProvider(parseConfig(input));
    createServer(carnet.callback());
    // @ts-expect-error: there is no such key
    await createProvider({ developer: true });`;

  let folder = '';
  beforeAll(async () => {
    folder = createFolder('typed-app', { 'app.ts': app });
    await npmInstall(folder, ['@carnet/provider', '@carnet/adapter-sqlite', ...aliases, '@types/node@24']);
  });

  test.each(Object.keys(compilers))(
    'an app without accounts compiles with %s, without skipLibCheck',
    async (compiler) => {
      await compile(folder, compiler, '--module', 'nodenext', 'app.ts');
    },
  );
});
