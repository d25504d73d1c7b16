import { attemptLaws } from './laws/attempts.ts';
import { factorLaws } from './laws/factors.ts';
import type { Law } from './laws/law.ts';
import { onceLaws } from './laws/once.ts';
import type { FactorStore } from './store.ts';

export type { Law, LawSubject } from './laws/law.ts';
export { attemptLaws };

/** Every law of `FactorStore`. Run each of them with two instances on the same data. */
export const factorStoreLaws: readonly Law<FactorStore>[] = [...factorLaws, ...onceLaws];
