import { execFileSync } from 'node:child_process';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, test } from 'vitest';
import { publishedPackages } from '../../../scripts/pack.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const home = 'https://github.com/carnet-oidc/carnet';

type Ranges = Readonly<Record<string, string>>;

/** The members of a published manifest that this test reads. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly homepage: string;
  readonly bugs: unknown;
  readonly repository: unknown;
  readonly engines: unknown;
  readonly exports?: unknown;
  readonly bin?: Readonly<Record<string, string>> | string;
  readonly dependencies?: Ranges;
  readonly optionalDependencies?: Ranges;
  readonly peerDependencies?: Ranges;
  readonly dist: { readonly tarball: string };
}

interface Packument {
  readonly versions: Readonly<Record<string, Manifest>>;
}

/** The manifest of the only published version, as the registry returns it to npm. */
const manifestOf = async (name: string): Promise<Manifest> => {
  const response = await fetch(new URL(encodeURIComponent(name), inject('registryUrl')));
  const { versions } = (await response.json()) as Packument;
  const [manifest, ...others] = Object.values(versions);
  if (manifest === undefined || others.length > 0) throw new Error(`${name} has ${others.length} other versions`);
  return manifest;
};

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

/** Carnet reads internal modules of oidc-provider, which a patch may change. */
const exact = ['oidc-provider'];

const isRightRange = ({ version }: Manifest, [name, range]: readonly [string, string]): boolean => {
  // The packages of one release were tested with each other.
  if (name.startsWith('@carnet/')) return range === version;
  return (exact.includes(name) ? /^\d+\.\d+\.\d+$/ : /^\^\d+\.\d+\.\d+$/).test(range);
};

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
    expect(files.filter((file) => /\.test\.|\/test\/|tsbuildinfo|\.env/.test(file))).toEqual([]);
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
