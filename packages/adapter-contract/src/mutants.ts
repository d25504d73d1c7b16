import { changeMutants } from './mutants/change.ts';
import { commitMutants, conflictMutants } from './mutants/commit.ts';
import { expiryMutants } from './mutants/expiry.ts';
import { housekeepingMutants, sharingMutants } from './mutants/housekeeping.ts';
import { listMutants } from './mutants/list.ts';
import type { Mutant } from './mutants/mutant.ts';
import { aliasingMutants, readMutants } from './mutants/read.ts';
import { revokeMutants } from './mutants/revoke.ts';

export type { Mutant } from './mutants/mutant.ts';

/** Deliberately broken stores, each caught by the law named for it; every law has at least one. */
export const mutants: readonly Mutant[] = [
  ...readMutants,
  ...aliasingMutants,
  ...expiryMutants,
  ...changeMutants,
  ...revokeMutants,
  ...commitMutants,
  ...conflictMutants,
  ...listMutants,
  ...housekeepingMutants,
  ...sharingMutants,
];
