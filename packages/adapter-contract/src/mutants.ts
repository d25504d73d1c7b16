import { changeMutants } from './mutants/change.ts';
import { commitMutants, conflictMutants } from './mutants/commit.ts';
import { concurrentCallMutants } from './mutants/concurrent-calls.ts';
import { expiryMutants } from './mutants/expiry.ts';
import { housekeepingMutants } from './mutants/housekeeping.ts';
import { issuerMutants } from './mutants/issuers.ts';
import { listMutants } from './mutants/list.ts';
import { listScopeMutants } from './mutants/list-scope.ts';
import { mergeMutants } from './mutants/merge.ts';
import type { Mutant } from './mutants/mutant.ts';
import { partMutants } from './mutants/parts.ts';
import { aliasingMutants, readMutants } from './mutants/read.ts';
import { revokeMutants } from './mutants/revoke.ts';
import { scanMutants } from './mutants/scan.ts';
import { sharingMutants } from './mutants/sharing.ts';

export type { Mutant } from './mutants/mutant.ts';
export { atomicByGrant } from './mutants/parts.ts';

/** Deliberately broken stores, each caught by the law named for it; every law has at least one. */
export const mutants: readonly Mutant[] = [
  ...readMutants,
  ...aliasingMutants,
  ...expiryMutants,
  ...changeMutants,
  ...mergeMutants,
  ...revokeMutants,
  ...commitMutants,
  ...conflictMutants,
  ...partMutants,
  ...concurrentCallMutants,
  ...listMutants,
  ...listScopeMutants,
  ...issuerMutants,
  ...scanMutants,
  ...housekeepingMutants,
  ...sharingMutants,
];
