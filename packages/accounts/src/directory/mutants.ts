import { findingMutants } from './mutants/finding.ts';
import type { Mutant } from './mutants/mutant.ts';
import { optionalMutants } from './mutants/optional.ts';
import { outageMutants } from './mutants/outage.ts';
import { passwordMutants } from './mutants/passwords.ts';

export { breakFixture, type Mutant } from './mutants/mutant.ts';

/** Deliberately broken directories, each caught by the law named for it. Every law has at least one. */
export const mutants: readonly Mutant[] = [...findingMutants, ...passwordMutants, ...outageMutants, ...optionalMutants];
