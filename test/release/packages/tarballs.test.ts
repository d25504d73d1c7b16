import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { publishedPackages } from '../../../scripts/pack.mjs';
import { createFolder } from '../user/folder.ts';
import { type Manifest, manifestOf } from './packument.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const home = 'https://github.com/carnet-oidc/carnet';

const tarballOf = ({ name, version }: { name: string; version: string }): string => {
  const fileName = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  const found = inject('tarballs').find((tarball) => tarball.endsWith(sep + fileName));
  if (found === undefined) throw new Error(`there is no tarball ${fileName}`);
  return found;
};

const tar = (...args: string[]): string => execFileSync('tar', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** Every string in a value, for example the paths of `exports`. */
const stringsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(stringsIn);

/**
 * Carnet reads internal modules of oidc-provider: a patch may break it. Not every version of `@node-rs/bcrypt` has a build for
 * each platform.
 */
const exact = ['oidc-provider', '@node-rs/bcrypt'];

const isRightRange = ({ version }: Manifest, [name, range]: readonly [string, string]): boolean => {
  // The packages of one release were tested with each other.
  if (name.startsWith('@carnet/')) return range === version;
  return (exact.includes(name) ? /^\d+\.\d+\.\d+$/ : /^\^\d+\.\d+\.\d+$/).test(range);
};

test('pnpm pack in a package that was not built builds it first', async () => {
  const { folder, manifest } = publishedPackages().find(
    ({ manifest: { name } }) => name === '@carnet/signer-contract',
  ) as {
    folder: string;
    manifest: { name: string; version: string };
  };
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const destination = createFolder('packed');
  const args = ['-y', packageManager, '--pm-on-fail=ignore', 'pack', '--pack-destination', destination];
  await promisify(execFile)('npx', args, { cwd: folder });
  const files = tar('tzf', join(destination, `carnet-signer-contract-${manifest.version}.tgz`));
  expect(files).toContain('package/dist/index.js\n');
});

test('the registry has every published package, each with the version of the workspace', async () => {
  const { version } = publishedPackages()[0]?.manifest ?? { version: '' };
  expect(inject('tarballs')).toHaveLength(publishedPackages().length);
  for (const { manifest } of publishedPackages()) expect((await manifestOf(manifest.name)).version).toBe(version);
});

describe.each(publishedPackages().map(({ folder, manifest }) => ({ folder, ...manifest })))('$name', (published) => {
  const directory = relative(root, published.folder);

  test('states where it comes from, its terms and where it runs', async () => {
    expect(await manifestOf(published.name)).toMatchObject({
      description: expect.stringMatching(/^.{20,160}\.$/),
      keywords: expect.arrayContaining(['openid-connect', 'oidc', 'oauth2']),
      license: 'MIT',
      homepage: `${home}/tree/main/${directory}#readme`,
      bugs: { url: `${home}/issues` },
      repository: { type: 'git', url: `git+${home}.git`, directory },
      engines: { node: '>=22.16.0' },
    });
  });

  test('depends on ranges that get fixes, on its own release exactly, and on no version of the workspace', async () => {
    const manifest = await manifestOf(published.name);
    const dependencies = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies });
    expect(dependencies.filter((entry) => !isRightRange(manifest, entry))).toEqual([]);
    const peers = Object.entries(manifest.peerDependencies ?? {});
    expect(peers.filter(([, range]) => !/^[\^>]/.test(range))).toEqual([]);
    expect(JSON.stringify(manifest)).not.toMatch(/"(?:workspace|catalog):/);
  });

  test('has the files that its manifest names, a README, the LICENSE, and no test', async () => {
    const manifest = await manifestOf(published.name);
    const files = tar('tzf', tarballOf(published)).trim().split('\n');
    expect(files).toEqual(expect.arrayContaining(['package/package.json', 'package/README.md', 'package/LICENSE']));
    const named = stringsIn([manifest.exports, manifest.bin])
      .map((path) => `package/${path.replace('./', '')}`)
      .filter((path) => !path.includes('*'));
    expect(files).toEqual(expect.arrayContaining(named));
    // The templates of create-carnet have tests: those of the user's new program.
    const own = files.filter((file) => !file.startsWith('package/templates/'));
    expect(own.filter((file) => /\.test\.|\/test\/|tsbuildinfo|\.env/.test(file))).toEqual([]);
  });

  test('has a README that begins with its name, shows how to install it, and has no relative link', () => {
    const readme = tar('xzOf', tarballOf(published), 'package/README.md');
    expect(readme.startsWith(`# ${published.name}\n`)).toBe(true);
    expect(readme).toMatch(/npm (?:install|create) |npx /);
    expect(readme).toContain(`${home}/`);
    const links = [...readme.matchAll(/\]\((\S+?)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !/^(?:https:|#)/.test(link))).toEqual([]);
  });
});
