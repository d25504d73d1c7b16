import type { Accounts, CheckedDirectory } from '@carnet/accounts';
import { createSingleFlight } from '../concurrency/single-flight.ts';

/** The state of each directory by name: `ok`, or the step that failed. Empty until the first check has ended. */
export type DirectoryHealth = () => Readonly<Record<string, string>>;

/** How old a result may become before the directories are checked again. */
const staleMs = 15_000;

const stateOf = ({ steps }: CheckedDirectory): string => {
  const failed = steps.find(({ ok }) => !ok);
  return failed === undefined ? 'ok' : `${failed.step} failed`;
};

/**
 * Reports the last result, and checks the directories again in the background. A probe therefore never waits for a
 * directory, and an outage of one does not take a server that can still issue tokens out of the balance.
 */
export const createDirectoryHealth = (accounts: Pick<Accounts, 'directories'>, now: () => number): DirectoryHealth => {
  let known: Readonly<Record<string, string>> = {};
  let checkedAt = Number.NEGATIVE_INFINITY;
  const check = createSingleFlight(async () => {
    const { directories } = await accounts.directories.check();
    known = Object.fromEntries(directories.map((each) => [each.directory, stateOf(each)]));
    checkedAt = now();
  });
  return () => {
    // The result of a failed check stays the previous one; the next probe checks again.
    if (now() - checkedAt > staleMs) check.running('directories').catch(() => {});
    return known;
  };
};
