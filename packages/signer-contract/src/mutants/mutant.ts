import type { MutantOf } from '@carnet/adapter-contract/kit';
import { type KeyWrapper, type RemoteSigner, SignerUnavailableError, SignerUnfitError } from '../port.ts';
import type { MemoryService } from './memory-service.ts';

/** A correct signer or key wrapper with one mistake. */
export interface Mutant<Subject> extends MutantOf {
  /** The members with the mistake, of a correct instance. Called for each instance. */
  change(instance: Subject, service: MemoryService): Partial<Subject>;
}

export type SignerMutant = Mutant<RemoteSigner>;

export type WrapperMutant = Mutant<KeyWrapper>;

/** Mutants by the law that each breaks, then by their names. */
export const mutantsOf = <Subject>(
  byLaw: Readonly<Record<string, Readonly<Record<string, Mutant<Subject>['change']>>>>,
): readonly Mutant<Subject>[] =>
  Object.entries(byLaw).flatMap(([breaks, changes]) =>
    Object.entries(changes).map(([name, change]) => ({ name, breaks, change })),
  );

/** Takes an outage for a refusal. */
export const throwUnfit = (error: unknown): never => {
  throw error instanceof SignerUnavailableError ? new SignerUnfitError('the call failed') : error;
};

/** Takes a refusal for an outage. */
export const throwUnavailable = (error: unknown): never => {
  throw error instanceof SignerUnfitError ? new SignerUnavailableError('the call failed') : error;
};

/** Carries out a call, and reports one that is aborted while it waits as unfit. */
export const reportAsUnfit = async <Result>(signal: AbortSignal, call: () => Promise<Result>): Promise<Result> => {
  signal.throwIfAborted();
  return call().catch((error: unknown) => {
    throw signal.aborted ? new SignerUnfitError('the call failed') : error;
  });
};

/** Throws once after the sessions ended. */
export const createStaleSession = ({ sessionsEnded }: MemoryService): (() => void) => {
  let session = sessionsEnded();
  return () => {
    if (session === sessionsEnded()) return;
    session = sessionsEnded();
    throw new SignerUnavailableError('the session ended');
  };
};
