// Publishes packed packages to a registry, dependencies first.
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { publishedPackages } from './pack.mjs';
import { childEnv, say } from './workspace.mjs';

/** A package after all packages of the workspace that it needs: a user who installs meanwhile finds all of them. */
const inOrder = (manifests) => {
  const byName = new Map(manifests.map((manifest) => [manifest.name, manifest]));
  const ordered = new Set();
  const add = (manifest) => {
    for (const name of Object.keys(manifest.dependencies ?? {})) if (byName.has(name)) add(byName.get(name));
    ordered.add(manifest);
  };
  for (const manifest of manifests) add(manifest);
  return [...ordered];
};

const isPublished = async ({ name, version }, registry) => {
  const response = await fetch(new URL(encodeURIComponent(name), registry));
  if (response.status === 404) return false;
  if (!response.ok) throw new Error(`${registry} answered ${response.status} for ${name}. Run the command again.`);
  return version in (await response.json()).versions;
};

const tarballOf = ({ name, version }, tarballs) => {
  const fileName = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
  const found = tarballs.find((tarball) => basename(tarball) === fileName);
  if (found === undefined) throw new Error(`${name}: there is no tarball ${fileName}`);
  return found;
};

/** npm may ask for a second factor: the terminal is its own. */
const npmPublish = (tarball, { registry, isDry, env }) =>
  new Promise((resolve, reject) => {
    const options = ['--registry', registry, '--access', 'public', '--loglevel=error', ...(isDry ? ['--dry-run'] : [])];
    const child = spawn('npm', ['publish', tarball, ...options], { env: childEnv(env), stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm publish ${basename(tarball)} failed. Run the command again: it publishes the rest.`));
    });
  });

/** The manifests of the published packages whose version a registry does not have, dependencies first. */
export const unpublishedPackages = async (registry) => {
  const manifests = inOrder(publishedPackages().map((each) => each.manifest));
  const isKnown = await Promise.all(manifests.map((manifest) => isPublished(manifest, registry)));
  return manifests.filter((_, index) => !isKnown[index]);
};

/**
 * Publishes each package whose version the registry does not have. A second call after a failure publishes the rest.
 *
 * @param tarballs the paths of the packed packages
 * @param registry the URL of the registry; npm's configuration has the credentials
 * @param isDry asks npm what it would publish, and publishes nothing
 * @param env variables for npm
 */
export const publishPackages = async ({ tarballs, registry, isDry = false, env = {} }) => {
  for (const manifest of await unpublishedPackages(registry)) {
    await npmPublish(tarballOf(manifest, tarballs), { registry, isDry, env });
    say(`${manifest.name}@${manifest.version} ${isDry ? 'would be' : 'is'} published`);
  }
};
