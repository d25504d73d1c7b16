import type { DirectoryFixture, LawUser } from '../laws/law.ts';
import { override } from '../override.ts';
import type { Directory } from '../port.ts';

/** A deliberately broken directory: any correct one, with one mistake around it. */
export interface Mutant {
  /** Kebab-case, unique: the mistake. */
  readonly name: string;
  /** The law that has to catch it. */
  readonly breaks: string;
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
