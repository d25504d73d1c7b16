import { attemptMutants } from './mutants/attempts.ts';
import { factorMutants } from './mutants/factors.ts';
import type { Mutant } from './mutants/mutant.ts';
import { onceMutants } from './mutants/once.ts';
import type { FactorStore } from './store.ts';

export type { Mutant } from './mutants/mutant.ts';
export { attemptMutants };

/** Deliberately broken factor stores, each caught by the law named for it; every law has at least one. */
export const factorStoreMutants: readonly Mutant<FactorStore>[] = [...factorMutants, ...onceMutants];
