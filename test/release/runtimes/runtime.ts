import { join } from 'node:path';
import { createFolder, npmInstall } from '../user/folder.ts';

/** The versions that docs/start/deno-and-bun.md names. */
export const versions = { deno: '2.9.6', bun: '1.4.5' } as const;

export type RuntimeName = keyof typeof versions;

/** A JavaScript runtime other than Node.js. */
export interface Runtime {
  /** The commands of the guide: `add` takes the names of packages, `run` the name of a program. */
  readonly add: readonly string[];
  readonly run: readonly string[];
}

/** The commands of the guide. Deno gets its packages by npm: it refuses optional packages that a registry does not have. */
export const commands = {
  deno: { add: ['npm', 'install'], run: ['deno', 'run', '-A'] },
  bun: { add: ['bun', 'add'], run: ['bun'] },
} as const;

/** Installs a runtime from npm, in a folder of this run. */
export const installRuntime = async (name: RuntimeName): Promise<Runtime> => {
  const folder = createFolder(name);
  await npmInstall(folder, [`${name}@${versions[name]}`]);
  const located = (words: readonly string[]): readonly string[] =>
    words.map((word) => (word === name ? join(folder, 'node_modules/.bin', name) : word));
  return { add: located(commands[name].add), run: located(commands[name].run) };
};
