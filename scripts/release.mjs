// `npm run release`: checks, builds, packs and publishes all packages. docs/operate/releases.md describes a release.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkPackages } from './check-packages.mjs';
import { packPackages, publishedPackages } from './pack.mjs';
import { publishPackages, unpublishedPackages } from './publish.mjs';
import { main, setup } from './setup.mjs';
import { root, say } from './workspace.mjs';

const npmRegistry = 'https://registry.npmjs.org/';

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** The reasons why this checkout is not a release. */
const problemsOf = (version) => {
  const problems = [];
  if (git('status', '--porcelain') !== '') problems.push('There are changes that are not committed. Commit them.');
  if (readdirSync(join(root, '.changeset')).some((name) => name.endsWith('.md') && name !== 'README.md'))
    problems.push('There are changesets that no version has. Run `npm run release:version`, and commit the result.');
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## ${version} - `))
    problems.push(`CHANGELOG.md has no section "## ${version} - <date>". Run \`npm run release:version\`.`);
  if (!git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`))
    problems.push(`The commit has no tag v${version}. Run \`git tag v${version}\`.`);
  return problems;
};

await main(async () => {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, registry: { type: 'string', default: npmRegistry } },
  });
  const [{ manifest }] = publishedPackages();
  // Another registry than npm's is a trial.
  const problems = values['dry-run'] || values.registry !== npmRegistry ? [] : problemsOf(manifest.version);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const { registry, 'dry-run': isDry } = values;
  if ((await unpublishedPackages(registry)).length === 0) {
    say(`release: ${registry} has all packages of ${manifest.version} already`);
    return 0;
  }
  await setup({ build: false });
  const tarballs = await packPackages();
  if ((await checkPackages(tarballs)) > 0) return 1;
  await publishPackages({ tarballs, registry, isDry });
  if (!isDry) say(`release: ${manifest.version} is complete`);
  return 0;
});
