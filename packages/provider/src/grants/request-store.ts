import type { Conflict, StorageAdapter, Write } from '@carnet/adapter-contract';
import { CarnetError } from '../errors.ts';
import type { Redemptions } from '../flow/redemptions.ts';
import { invalidGrant, OAuthError } from '../oauth-error.ts';
import type { UndoneBy } from '../storage/compose.ts';
import { conflictName, type StoppedCommit } from '../storage/stopped-commit.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { RequestStore } from './grant.ts';

/** The error for a conflict that cannot occur. */
export const unforeseen = ({ conflict }: StoppedCommit): CarnetError =>
  new CarnetError('server_error', `unforeseen conflict: ${conflictName(conflict)}`);

/** The error for a grant that was revoked while its tokens were being issued. */
export const revokedMeanwhile = (stopped: StoppedCommit): Error => {
  const { write } = stopped.conflict;
  const isGrant =
    (write.type === 'put' && write.record.kind === 'grant') || (write.type === 'merge' && write.key.kind === 'grant');
  return isGrant ? invalidGrant() : unforeseen(stopped);
};

/**
 * A code or refresh token was used again: revokes everything that was issued for its grant (RFC 6749, sections 4.1.2 and
 * 10.4).
 *
 * @throws {OAuthError} `invalid_grant`, always
 */
export const refuseReuse = async (
  store: RequestStore,
  { redemptions }: { readonly redemptions: Pick<Redemptions, 'revocation'> },
  grantId: string | undefined,
): Promise<never> => {
  if (grantId !== undefined) await store.commit(redemptions.revocation(grantId));
  throw invalidGrant();
};

export interface RequestStoreOptions {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  /** The claims of the request's client assertion. */
  readonly assertions: readonly Write[];
  readonly undoneBy: UndoneBy;
  readonly logger: Pick<Logger, 'info'>;
}

/** The store, for one request of an authenticated client. */
export interface ProvenStore extends RequestStore {
  /** Adds the claim of a DPoP proof to the next commit. */
  prove(proof: Write): void;
  /** The same, for a proof that is used up even if the request fails. */
  use(proof: Write): void;
  /**
   * Claims the proofs that are used up even if the request fails (D6), among them the client assertion, unless they have
   * been committed.
   *
   * @throws {OAuthError} for a proof that was used before
   */
  end(): Promise<unknown> | undefined;
}

const usedAssertion = () =>
  new OAuthError('invalid_client', 'client assertions must only be used once', { status: 401 });

const usedProof = () => new OAuthError('invalid_dpop_proof', 'DPoP proofs must only be used once');

export const createRequestStore = ({ adapter, assertions, undoneBy, logger }: RequestStoreOptions): ProvenStore => {
  let always = assertions;
  let proofs = assertions;
  let isCommitted = false;

  const carryOut = (writes: readonly Write[]): Promise<StoppedCommit | undefined> =>
    adapter.commit(writes).then((conflict) => conflict && stop(conflict, writes));

  const stop = async (conflict: Conflict, writes: readonly Write[]): Promise<StoppedCommit> => {
    logger.info({ conflict: conflictName(conflict), reason: conflict.reason }, 'commit conflict');
    if (assertions.includes(conflict.write)) throw usedAssertion();
    const undone = undoneBy(conflict, writes);
    // A proof is used up even if the request fails (D6), which a conflict may lead to.
    const unused = undone.filter((write) => proofs.includes(write));
    if (unused.length > 0) await carryOut(unused);
    if (proofs.includes(conflict.write)) throw usedProof();
    return { conflict, undone: undone.filter((write) => !proofs.includes(write)) };
  };

  const prove = (proof: Write): void => {
    proofs = [...proofs, proof];
  };

  return {
    read: adapter.read,
    prove,
    use(proof) {
      prove(proof);
      always = [...always, proof];
    },
    commit(writes) {
      const all = isCommitted || proofs.length === 0 ? writes : [...proofs, ...writes];
      if (all.length === 0) return undefined;
      isCommitted = true;
      return carryOut(all);
    },
    end() {
      if (isCommitted || always.length === 0) return undefined;
      isCommitted = true;
      return carryOut(always);
    },
  };
};
