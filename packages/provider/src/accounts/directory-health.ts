import type { Accounts, CheckedDirectory } from '@carnet/accounts';
import { createRenewed } from '@carnet/adapter-contract/kit';

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
  const read = async () => {
    const { directories } = await accounts.directories.check();
    return Object.fromEntries(directories.map((each) => [each.directory, stateOf(each)]));
  };
  // The result of a failed check stays the previous one; the next probe checks again.
  const states = createRenewed({ read, freshMs: staleMs, pauseMs: 0, now });
  return () => {
    states.current().catch(() => {});
    return states.latest() ?? {};
  };
};
