import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { askChoices, askInstall } from './choices/ask.ts';
import { type Choices, defaults, type Flags, UsageError } from './choices/choices.ts';
import { readFlags } from './choices/read-flags.ts';
import { help } from './help.ts';
import { nextSteps } from './next-steps.ts';
import { detectPackageManager, type PackageManager } from './package-manager.ts';
import { assertEmpty, createProject } from './project/create-project.ts';

/** The surroundings of the command. */
export interface Surroundings {
  readonly args: readonly string[];
  readonly cwd: string;
  /** The value of `npm_config_user_agent`. */
  readonly userAgent: string | undefined;
  /** Whether the user can answer questions. */
  readonly isInteractive: boolean;
  readonly out: (text: string) => void;
}

const choose = async (flags: Flags, { isInteractive }: Surroundings): Promise<Choices> => {
  if (flags.yes) {
    return {
      folder: flags.folder ?? defaults.folder,
      framework: flags.framework ?? defaults.framework,
      store: flags.store ?? defaults.store,
      pages: flags.pages ?? defaults.pages,
      mcp: flags.mcp ?? defaults.mcp,
      databaseUrl: flags.databaseUrl,
    };
  }
  if (isInteractive) return askChoices(flags);
  throw new UsageError(
    'No questions can be asked here, because the input is not a terminal. Add --yes for the defaults.',
  );
};

const install = async (packageManager: PackageManager, cwd: string): Promise<void> => {
  const child = spawn(packageManager, ['install'], { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  const [code] = await once(child, 'exit');
  if (code === 0) return;
  throw new UsageError(`\`${packageManager} install\` failed in ${cwd}. The files are there: run it again.`);
};

/**
 * Runs the command.
 *
 * @throws UsageError with a message for the user
 */
export const run = async (surroundings: Surroundings): Promise<void> => {
  const { args, cwd, userAgent, isInteractive, out } = surroundings;
  const flags = readFlags(args);
  if (flags.help) return out(help);
  const packageManager = detectPackageManager(userAgent);
  // Before the questions: the answers would be lost.
  if (flags.folder !== undefined) await assertEmpty(resolve(cwd, flags.folder));
  const choices = await choose(flags, surroundings);
  const files = await createProject(choices, cwd);
  out(`Created ${choices.folder} with ${files.length} files.\n`);
  const asks = isInteractive && !flags.yes;
  const installs = flags.install ?? (asks ? await askInstall(`${packageManager} install`) : true);
  if (installs) await install(packageManager, resolve(cwd, choices.folder));
  out(nextSteps(choices, packageManager, installs));
};
