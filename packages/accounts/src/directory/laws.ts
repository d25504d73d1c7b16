import { findingLaws } from './laws/finding.ts';
import type { DirectoryFixture, Law, OptionalOperation } from './laws/law.ts';
import { optionalLaws } from './laws/optional.ts';
import { outageLaws } from './laws/outage.ts';
import { passwordLaws } from './laws/passwords.ts';
import type { Directory } from './port.ts';

export type { DirectoryFixture, Law, LawUser, OptionalOperation } from './laws/law.ts';

const laws: readonly Law[] = [...findingLaws, ...passwordLaws, ...outageLaws, ...optionalLaws];

const optional: readonly OptionalOperation[] = ['changePassword', 'authenticate'];

/** A directory that has an operation cannot leave out the laws of that operation. */
const assertDeclared = (directory: Directory, operations: readonly OptionalOperation[]): void => {
  for (const operation of optional)
    if ((directory[operation] !== undefined) !== operations.includes(operation))
      throw new Error(`lawsFor() must list ${operation} if the directory has it, and only then`);
};

/** The law, with a fixture whose directories are checked when they are opened and closed after the law. */
const bound = (law: Law, operations: readonly OptionalOperation[]): Law => ({
  ...law,
  check: async (fixture: DirectoryFixture) => {
    const opened: Directory[] = [];
    try {
      await law.check({
        open: async (users) => {
          const directory = await fixture.open(users);
          opened.push(directory);
          assertDeclared(directory, operations);
          return directory;
        },
        stop: () => fixture.stop(),
        start: () => fixture.start(),
      });
    } finally {
      await Promise.all(opened.map((directory) => directory.close()));
    }
  },
});

/**
 * The laws of the directory port that bind a directory with these optional operations. The tests of each directory run them
 * all: `test.for(lawsFor(['changePassword']))('$name', { timeout: 60_000 }, ({ check }) => check(fixture))`.
 */
export const lawsFor = (operations: readonly OptionalOperation[] = []): readonly Law[] =>
  laws.filter(({ needs }) => needs === undefined || operations.includes(needs)).map((law) => bound(law, operations));
