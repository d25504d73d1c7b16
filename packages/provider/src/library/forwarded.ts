import type { IncomingMessage } from 'node:http';
import {
  type Conflict,
  type FoundRecord,
  keyOfWrite,
  type RecordKey,
  type StorageAdapter,
  type Write,
} from '@carnet/adapter-contract';

/** The results of the store for a request before it was forwarded to oidc-provider. */
interface Forwarded {
  /** The keys and their records. */
  readonly reads?: readonly (readonly [RecordKey, FoundRecord | undefined])[];
  /** The conflict of a commit. */
  readonly conflict?: Conflict;
  /** A `client_id` for which there is no client. */
  readonly unknownClient?: string;
}

const all = new WeakMap<IncomingMessage, Forwarded>();

/** Forwards a request to oidc-provider with what was learned of it, so that the store is not read again. */
export const forward = (req: IncomingMessage, handed: Forwarded): undefined => {
  all.set(req, handed);
  return undefined;
};

/** The records that were read for a request. */
export const recordsReadFor = (req: IncomingMessage): NonNullable<Forwarded['reads']> => all.get(req)?.reads ?? [];

/** Whether the request is known to name no client by this id. */
export const isUnknownClient = (req: IncomingMessage, id: unknown): boolean =>
  typeof id === 'string' && all.get(req)?.unknownClient === id;

const nameOf = (write: Write): string => {
  if (write.type === 'revoke') return `revoke:${write.grantId}`;
  const { kind, id } = keyOfWrite(write);
  return `${write.type}:${kind}:${id}`;
};

/**
 * The commits of a request. What was claimed, used or revoked stays so: what has stopped one stops the next that asks
 * for
 * the same, and the store is not asked again.
 */
export const commitOf = (req: IncomingMessage, commit: StorageAdapter['commit']): StorageAdapter['commit'] => {
  const conflict = all.get(req)?.conflict;
  if (conflict === undefined) return commit;
  const name = nameOf(conflict.write);
  return async (writes) => {
    const write = writes.find((each) => nameOf(each) === name);
    return write ? { write, reason: conflict.reason } : commit(writes);
  };
};
