export type { AttemptCount, AttemptStore, Factor, FactorKind, FactorStore, Vault } from './store.ts';
