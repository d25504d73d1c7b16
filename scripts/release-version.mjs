// `npm run release:version`: gives all packages the next version, and dates the section of CHANGELOG.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages } from './pack.mjs';
import { main } from './setup.mjs';
import { root, run, say } from './workspace.mjs';

const edit = (path, change) => {
  const file = join(root, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
};

const runOrThrow = async (command, args) => {
  const code = await run(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed (exit code ${code})`);
};

const dated = (version) => (changelog) => {
  if (changelog.includes(`\n## ${version} - `))
    throw new Error(`CHANGELOG.md has ${version} already. Add a changeset.`);
  const date = new Date().toISOString().slice(0, 10);
  return changelog.replace('\n## Unreleased\n', `\n## Unreleased\n\n## ${version} - ${date}\n`);
};

await main(async () => {
  // Without a changeset the version stays as it is: that is right for the first release.
  await runOrThrow('changeset', ['version']);
  const [{ manifest }] = publishedPackages();
  edit('CHANGELOG.md', dated(manifest.version));
  edit('deploy/chart/Chart.yaml', (chart) => chart.replace(/^(version|appVersion): .*$/gm, `$1: ${manifest.version}`));
  say(`release: all packages have the version ${manifest.version}. Read CHANGELOG.md, commit, and tag the commit.`);
  return 0;
});
