import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Choices, UsageError } from '../choices/choices.ts';
import { applyConditions } from './conditions.ts';
import { factsOf, layersOf } from './layers.ts';
import { type Manifest, mergeManifests } from './manifest.ts';
import { createFill, projectName } from './values.ts';

const templates = fileURLToPath(new URL('../../templates', import.meta.url));

const ownVersion = async (): Promise<string> =>
  JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')).version;

/** @throws UsageError if the folder has files. A folder with a new git repository is empty enough. */
export const assertEmpty = async (folder: string): Promise<void> => {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new UsageError(`${folder} is a file. Choose another name for the folder.`);
    throw error;
  });
  const files = entries.filter((entry) => entry !== '.git');
  if (files.length === 0) return;
  const shown = files.length > 3 ? `${files.slice(0, 3).join(', ')} and ${files.length - 3} more` : files.join(', ');
  throw new UsageError(`The folder ${folder} is not empty: it has ${shown}. Choose another folder, or empty this one.`);
};

/** The contents of the files of all layers, by path in the project, in the order of the layers. */
const readLayers = async (layers: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
  const found = new Map<string, string[]>();
  for (const layer of layers) {
    const entries = await readdir(join(templates, layer), { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const inProject = relative(join(templates, layer), path);
      found.set(inProject, [...(found.get(inProject) ?? []), await readFile(path, 'utf8')]);
    }
  }
  return found;
};

/** npm does not publish files with these names: in `templates/` their names begin with `_`. */
const dotFiles: Readonly<Record<string, string>> = { _env: '.env', _gitignore: '.gitignore' };

/** The files of a project, by path. */
export const projectFiles = async (choices: Choices): Promise<ReadonlyMap<string, string>> => {
  const [layers, facts, fill] = [layersOf(choices), factsOf(choices), createFill(choices)];
  const name = projectName(choices.folder);
  const version = await ownVersion();
  const files = new Map<string, string>();
  for (const [path, contents] of await readLayers(layers)) {
    if (path === 'package.json') {
      const manifest = mergeManifests(
        name,
        contents.map((text): Manifest => JSON.parse(text)),
        version,
      );
      files.set(path, `${JSON.stringify(manifest, null, 2)}\n`);
    } else {
      const isJoined = path in dotFiles;
      const text = isJoined ? contents.join('') : (contents.at(-1) ?? '');
      const filled = fill(applyConditions(text, facts));
      // A template whose only part does not apply is no file of this project.
      if (filled.trim() !== '') files.set(dotFiles[path] ?? path, filled);
    }
  }
  return files;
};

/**
 * Writes a project into an empty or new folder.
 *
 * @returns the paths of its files
 * @throws UsageError if the folder is not empty
 */
export const createProject = async (choices: Choices, cwd: string): Promise<readonly string[]> => {
  const folder = resolve(cwd, choices.folder);
  await assertEmpty(folder);
  const files = await projectFiles({ ...choices, folder });
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    // `wx`: a file that appeared in the meantime is not overwritten. Only the owner may read secrets.
    await writeFile(join(folder, path), text, { flag: 'wx', mode: path === '.env' ? 0o600 : 0o666 });
  }
  return [...files.keys()];
};
