import type { MutantOf } from '@carnet/adapter-contract/kit';
import type { KeyWrapper, RemoteSigner } from '../port.ts';
import type { MemoryService } from './memory-service.ts';

/** A correct signer or key wrapper with one mistake. */
export interface Mutant<Subject> extends MutantOf {
  /** The members with the mistake, of a correct instance. Called for each instance. */
  change(instance: Subject, service: MemoryService): Partial<Subject>;
}

export type SignerMutant = Mutant<RemoteSigner>;

export type WrapperMutant = Mutant<KeyWrapper>;
