import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * `22` is the oldest Node that the packages claim to run on, `22.18` the oldest one that runs TypeScript, and `24` is the one
 * of this workspace.
 */
export type NodeVersion = '22' | '22.18' | '24';

const nodeFolders: Readonly<Record<NodeVersion, string>> = {
  '22': fileURLToPath(new URL('../node_modules/node-22/bin', import.meta.url)),
  '22.18': fileURLToPath(new URL('../node_modules/node-22-18/bin', import.meta.url)),
  '24': fileURLToPath(new URL('../../../node_modules/node/bin', import.meta.url)),
};

/** The folder with the `node` of a version. */
const nodeFolder = (version: NodeVersion): string => realpathSync(nodeFolders[version]);

/** A setting of npm on this machine. */
export const npmConfig = async (name: string): Promise<string> =>
  (await run('npm', ['config', 'get', name])).stdout.trim();

/** The folder of this machine's npm: its scripts run on whichever `node` is the first on the path. */
const npmFolder = (): string => {
  const folder = (process.env.PATH ?? '').split(delimiter).find((each) => existsSync(join(each, 'npm')));
  if (folder === undefined) throw new Error('There is no npm on PATH. It comes with Node.js: install both.');
  return folder;
};

export interface UserEnvironment {
  readonly home: string;
  readonly registryUrl: string;
  readonly node?: NodeVersion;
}

/** The environment of a user who has Node and npm, and no variable of this workspace. */
export const userEnvironment = async ({ home, registryUrl, node = '24' }: UserEnvironment) => ({
  PATH: [nodeFolder(node), npmFolder(), '/usr/bin', '/bin'].join(delimiter),
  HOME: home,
  LC_ALL: 'C.UTF-8',
  npm_config_registry: registryUrl,
  // The packages of others are downloaded once a machine.
  npm_config_cache: await npmConfig('cache'),
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  ...(process.env.NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS } : {}),
});
