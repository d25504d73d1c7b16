import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packPackages, publishedPackages } from '../scripts/pack.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Outside the workspace: no package of it can be found from here, but by its tarball. */
const folder = mkdtempSync(join(tmpdir(), 'carnet-packaging-'));
const tarballs: string[] = [];

beforeAll(async () => {
  tarballs.push(...(await packPackages(join(folder, 'tarballs'))));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tarballOf = (name: string): string => {
  const found = tarballs.find((tarball) => tarball.includes(`carnet-${name}-`));
  if (found === undefined) throw new Error(`there is no tarball of ${name}`);
  return found;
};

/** An empty folder with the packages installed by npm. */
const install = (name: string, packages: readonly string[]): string => {
  const app = join(folder, name);
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, ...packages.map(tarballOf)], { cwd: app });
  return app;
};

/** Runs a program in the folder of an app, without the variables of this process. */
const runIn = (app: string, program: string): string => {
  writeFileSync(join(app, 'program.js'), program);
  return execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'program.js'], {
    cwd: app,
    env: {},
    encoding: 'utf8',
  });
};

describe('the tarballs', () => {
  test('there is one for each published package, without tests', () => {
    expect(tarballs).toHaveLength(publishedPackages().length);
    for (const tarball of tarballs) {
      const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).split('\n');
      expect(files).toContain('package/package.json');
      expect(files.filter((file) => /\.test\.|\/test\//.test(file))).toEqual([]);
    }
  });
});

describe('an app with @carnet/provider and one adapter', () => {
  let app = '';
  beforeAll(() => {
    app = install('app', ['provider', 'adapter-contract', 'adapter-sqlite']);
  }, 120_000);

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

  test('mounts a provider', () => {
    expect(runIn(app, serving)).toContain('"RSA"');
    expect(existsSync(join(app, 'carnet.db'))).toBe(true);
  });

  test('has no command, no other adapter, and nothing that only the command needs', () => {
    expect(readdirSync(join(app, 'node_modules/@carnet')).toSorted()).toEqual([
      'adapter-contract',
      'adapter-sqlite',
      'provider',
    ]);
    for (const name of ['openid-client', 'yaml', '.bin/carnet']) {
      expect(existsSync(join(app, 'node_modules', name))).toBe(false);
    }
  });

  test('is told which package to install for another store', () => {
    const program = `
      import { createProvider } from '@carnet/provider';
      const failed = await createProvider({ dev: true }).catch(({ name, message }) => name + ' ' + message);
      process.stdout.write(failed);`;
    expect(runIn(app, program)).toMatch(/^ConfigError .*`npm install @carnet\/adapter-memory`/s);
  });

  test('is typed', () => {
    const program = `
      import { createServer } from 'node:http';
      import { type Carnet, type ConfigInput, createProvider } from '@carnet/provider';
      import { parseConfig } from '@carnet/provider/config';
      const input: ConfigInput = { dev: true };
      const carnet: Carnet = await createProvider(parseConfig(input));
      createServer(carnet.callback());
      // @ts-expect-error: there is no such key
      await createProvider({ developer: true });`;
    writeFileSync(join(app, 'typed.ts'), program);
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', ...types];
    execFileSync(join(root, 'node_modules/.bin/tsc'), [...options, '--ignoreConfig', 'typed.ts'], { cwd: app });
  });
});

describe('@carnet/cli', () => {
  let app = '';
  let serving: ChildProcess | undefined;
  beforeAll(() => {
    app = install(
      'command',
      publishedPackages().map(({ manifest }) => manifest.name.replace('@carnet/', '')),
    );
  }, 120_000);
  afterAll(() => void serving?.kill('SIGKILL'));

  const carnet = (...args: string[]): string =>
    execFileSync(process.execPath, ['node_modules/.bin/carnet', ...args], {
      cwd: app,
      env: { DATABASE_URL: 'sqlite:carnet.db' },
      encoding: 'utf8',
    });

  test('prints its version', () => {
    const manifest = publishedPackages().find(({ manifest: { name } }) => name === '@carnet/cli')?.manifest;
    expect(carnet('version').trim()).toBe(manifest?.version);
  });

  test('finds its stores', () => {
    expect(carnet('migrate', 'up')).toContain('applied');
    expect(existsSync(join(app, 'carnet.db'))).toBe(true);
  });

  test.each(['postgres', 'redis'])('brings the adapter for %s', (name) => {
    const program = `process.stdout.write(typeof (await import('@carnet/adapter-${name}')).openAdapter)`;
    expect(runIn(app, program)).toBe('function');
  });

  test('serves', async () => {
    const env = { PORT: '0', ADMIN_PORT: '0', ALLOWED_HOSTS: '127.0.0.1:*' };
    serving = spawn(process.execPath, ['node_modules/.bin/carnet', 'serve', '--dev'], {
      cwd: app,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: serving.stdout as NodeJS.ReadableStream })) {
      if (!line.includes('"msg":"ready"')) continue;
      const { publicUrl } = JSON.parse(line);
      expect((await fetch(`${publicUrl}/.well-known/openid-configuration`)).status).toBe(200);
      return;
    }
    throw new Error('carnet serve ended before it was ready');
  });
});
