import type { Conflict, StorageAdapter, Write } from '@carnet/adapter-contract';
import { CarnetError } from '../errors.ts';
import { OAuthError } from '../oauth-error.ts';
import type { UndoneBy } from '../storage/compose.ts';
import { conflictName, type StoppedCommit } from '../storage/stopped-commit.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { RequestStore } from './grant.ts';

/** The error for a conflict that cannot occur. */
export const unforeseen = ({ conflict }: StoppedCommit): CarnetError =>
  new CarnetError('server_error', `unforeseen conflict: ${conflictName(conflict)}`);

/** The reads and commits of one token request. */
export interface StoreAccess extends Pick<StorageAdapter, 'read' | 'commit'> {
  /** The claims of client assertions that oidc-provider has added to the unit of work. `commit` writes them first. */
  gathered(): readonly Write[];
}

interface RequestStoreOptions {
  readonly access: StoreAccess;
  /** The claim of the request's DPoP proof. */
  readonly proof: Write | undefined;
  readonly undoneBy: UndoneBy;
  readonly logger: Pick<Logger, 'info'>;
}

const usedAssertion = () =>
  new OAuthError('invalid_client', 'client assertions must only be used once', { status: 401 });

const usedProof = () => new OAuthError('invalid_dpop_proof', 'DPoP proofs must only be used once');

export const createRequestStore = ({ access, proof, undoneBy, logger }: RequestStoreOptions): RequestStore => {
  let proofs: readonly Write[] = proof ? [proof] : [];

  /** `own`: the writes of a commit beside `gathered`. */
  const carryOut = (own: readonly Write[], gathered: readonly Write[]): Promise<StoppedCommit | undefined> =>
    access.commit(own).then((conflict) => conflict && stop(conflict, own, gathered));

  const stop = async (
    conflict: Conflict,
    own: readonly Write[],
    gathered: readonly Write[],
  ): Promise<StoppedCommit> => {
    logger.info({ conflict: conflictName(conflict), reason: conflict.reason }, 'commit conflict');
    if (conflict.write === proof) throw usedProof();
    if (gathered.includes(conflict.write)) throw usedAssertion();
    const isProof = (write: Write) => write === proof || gathered.includes(write);
    const undone = undoneBy(conflict, [...gathered, ...own]);
    // A proof is used up even if the request fails (D6), which a conflict may lead to.
    const unused = undone.filter(isProof);
    if (unused.length > 0) await carryOut(unused, gathered);
    return { conflict, undone: undone.filter((write) => !isProof(write)) };
  };

  return {
    read: access.read,
    commit(writes) {
      const own = proofs.length === 0 ? writes : [...proofs, ...writes];
      proofs = [];
      if (own.length === 0) return undefined;
      return carryOut(own, access.gathered());
    },
  };
};
