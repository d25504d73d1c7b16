import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit, StudyResult } from './results.ts';
import { describeCommit } from './surroundings.ts';

interface Kept {
  readonly commit: Commit;
  readonly study: StudyResult;
}

/** Leaves what a study has found in the folder. */
export const keepStudy = (folder: string, study: StudyResult): void => {
  mkdirSync(folder, { recursive: true });
  const kept: Kept = { commit: describeCommit(), study };
  writeFileSync(join(folder, `study-${study.name}.json`), `${JSON.stringify(kept, null, 2)}\n`);
};

/** The results of studies of this commit in the folder. */
export const keptStudies = (folder: string, commit: Commit): readonly StudyResult[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => /^study-.*\.json$/.test(name))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Kept)
    .flatMap(({ commit: { id }, study }) => (id === commit.id && study !== undefined ? [study] : []));
