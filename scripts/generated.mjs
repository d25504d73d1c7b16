// The files that git ignores because a program writes them: setup does, when a source of theirs has changed.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, fingerprint, readIfPresent, root, run } from './workspace.mjs';

/** Their paths in the repository. `deploy/kubernetes/render.sh` writes another one, which needs Helm. */
export const generatedFiles = [
  'docs/reference/commands.md',
  'docs/reference/configuration.md',
  'docs/reference/config.schema.json',
  'docs/reference/events.md',
  'docs/reference/openapi.json',
  'deploy/chart/values.schema.json',
  'packages/cli/src/help/tables.ts',
];

const stampFile = join(root, 'node_modules', '.carnet-generated');

const paths = generatedFiles.map((path) => join(root, path));

/** The manifest has the version, which the API document names. */
const others = ['deploy/chart/values.yaml', 'packages/provider/package.json', 'packages/provider/test/api-document.ts'];

/** Everything that the files are made of: schemas, routes, commands, documents. */
const sources = () =>
  [
    ...['accounts', 'cli', 'events', 'provider'].flatMap((name) =>
      ['src', 'scripts'].map((folder) => join(root, 'packages', name, folder)),
    ),
    ...['docs', 'test/docs'].map((folder) => join(root, folder)),
  ]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => filesBelow(folder))
    .concat(others.map((file) => join(root, file)))
    .filter((file) => !paths.includes(file) && !/\.test\.ts$|\.(?:png|svg)$/.test(file));

/** Writes the generated files. Quick when nothing has changed. */
export const writeGeneratedFiles = async () => {
  const wanted = fingerprint(sources());
  if (paths.every((path) => existsSync(path)) && readIfPresent(stampFile) === wanted) return;
  const code = await run('node', ['--conditions=@carnet/source', 'test/docs/write-generated.ts']);
  if (code !== 0) throw new Error(`writing the generated files failed (exit code ${code}); the reason is above`);
  writeFileSync(stampFile, wanted);
};
