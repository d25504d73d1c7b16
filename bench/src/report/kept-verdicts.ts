import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from '../figures.ts';
import type { Commit } from './results.ts';
import { describeCommit } from './surroundings.ts';

interface Kept {
  readonly commit: Commit;
  readonly verdicts: readonly Verdict[];
}

/** Leaves what a study has found in the folder. */
export const keepVerdicts = (folder: string, study: string, verdicts: readonly Verdict[]): void => {
  mkdirSync(folder, { recursive: true });
  const kept: Kept = { commit: describeCommit(), verdicts };
  writeFileSync(join(folder, `study-${study}.json`), `${JSON.stringify(kept, null, 2)}\n`);
};

/** What studies of this commit have left in the folder. */
export const keptVerdicts = (folder: string, commit: Commit): readonly Verdict[] =>
  readdirSync(folder)
    .filter((name) => /^study-.*\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Kept)
    .flatMap(({ commit: { id }, verdicts }) => (id === commit.id ? verdicts : []));
