import { callMutants } from './mutants/calls.ts';
import { keyMutants } from './mutants/keys.ts';
import type { SignerMutant, WrapperMutant } from './mutants/mutant.ts';
import { signatureMutants } from './mutants/signatures.ts';
import { wrapperCallMutants } from './mutants/wrapper-calls.ts';
import { wrapperMutants } from './mutants/wrappers.ts';

export { type MemoryService, openMemoryService } from './mutants/memory-service.ts';
export type { Mutant, SignerMutant, WrapperMutant } from './mutants/mutant.ts';

/** Signers with one mistake each, which the named law detects. Every law has at least one. */
export const signerMutants: readonly SignerMutant[] = [...keyMutants, ...signatureMutants, ...callMutants];

/** Key wrappers with one mistake each. */
export const keyWrapperMutants: readonly WrapperMutant[] = [...wrapperMutants, ...wrapperCallMutants];
