import type { MutantOf } from '@carnet/adapter-contract/kit';
import type { DirectoryFixture, LawUser } from '../laws/law.ts';
import { override } from '../override.ts';
import type { Directory } from '../port.ts';

/** A deliberately broken directory: any correct one, with one mistake around it. */
export interface Mutant extends MutantOf {
  wrap(directory: Directory, users: readonly LawUser[]): Partial<Directory>;
}

/** The fixture with the mistake around each directory. */
export const breakFixture = (fixture: DirectoryFixture, { wrap }: Mutant): DirectoryFixture => ({
  open: async (users) => {
    const directory = await fixture.open(users);
    return override(directory, wrap(directory, users));
  },
  stop: () => fixture.stop(),
  start: () => fixture.start(),
});
