import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startRegistry, type TestRegistry } from '@carnet/test-servers';
import { publishedPackages } from '../../scripts/pack.mjs';
import { npmConfig } from './user/environment.ts';

/** A registry without the packages of this workspace. It has all others of the machine's registry. */
export const openRegistry = async (): Promise<TestRegistry> => {
  const own = new Set(publishedPackages().map(({ manifest }) => manifest.name));
  return startRegistry({
    isOwn: (name) => own.has(name) || name.startsWith('@carnet/'),
    upstream: await npmConfig('registry'),
  });
};

/** Variables for npm with a token for a registry. npm publishes nothing without one. */
export const publisherEnv = (folder: string, registryUrl: string): Record<string, string> => {
  const file = join(folder, 'npmrc');
  writeFileSync(file, `${registryUrl.replace('http:', '')}:_authToken=test\n`);
  return { npm_config_userconfig: file };
};
