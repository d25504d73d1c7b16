import { join } from 'node:path';
import { inject } from 'vitest';
import { createFolder, npmInstall } from '../user/folder.ts';

/** The versions that docs/start/deno-and-bun.md names. */
export const versions = { deno: '2.9.6', bun: '1.4.5' } as const;

export type RuntimeName = keyof typeof versions;

/** A JavaScript runtime other than Node.js, with its own package manager. */
export interface Runtime {
  /** The commands of the guide: `add` takes the names of packages, `run` the name of a program. */
  readonly add: readonly string[];
  readonly run: readonly string[];
  /** How `add` names a package. */
  readonly specifier: (name: string) => string;
  /** Its variables. Deno reads the registry from the name in capital letters only. */
  readonly env: Readonly<Record<string, string>>;
}

/** The words of the guide after the name of the command. */
export const commands = {
  deno: { add: ['add'], run: ['run', '-A'], prefix: 'npm:' },
  bun: { add: ['add'], run: [], prefix: '' },
} as const;

/** Installs a runtime from npm, in a folder of this run. */
export const installRuntime = async (name: RuntimeName): Promise<Runtime> => {
  const folder = createFolder(name);
  await npmInstall(folder, [`${name}@${versions[name]}`]);
  const executable = join(folder, 'node_modules/.bin', name);
  const { add, run, prefix } = commands[name];
  return {
    add: [executable, ...add],
    run: [executable, ...run],
    specifier: (each) => prefix + each,
    env: { NPM_CONFIG_REGISTRY: inject('registryUrl') },
  };
};
