import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packPackages } from '../../scripts/pack.mjs';
import { publishPackages } from '../../scripts/publish.mjs';
import { openRegistry, publisherEnv } from './registry.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The registry that has every published package of this workspace, and all of npm. */
    readonly registryUrl: string;
    /** Paths of the packed packages. */
    readonly tarballs: readonly string[];
    /** A folder outside of the workspace, removed after the run. */
    readonly baseFolder: string;
  }
}

/** Packs every published package once, and publishes it to a registry of this run. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const tarballs = await packPackages();
  const baseFolder = realpathSync(mkdtempSync(join(tmpdir(), 'carnet-release-')));
  const registry = await openRegistry();
  await publishPackages({ tarballs, registry: registry.url, env: publisherEnv(baseFolder, registry.url) });
  project.provide('registryUrl', registry.url);
  project.provide('tarballs', tarballs);
  project.provide('baseFolder', baseFolder);
  return async () => {
    await registry.close();
    // The folder has hundreds of thousands of files: the run does not wait for minutes until they are removed.
    spawn('rm', ['-rf', baseFolder], { detached: true, stdio: 'ignore' }).unref();
  };
};
