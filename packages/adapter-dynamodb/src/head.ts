import type { RecordKey } from '@carnet/adapter-contract';
import { type Action, checkItem, updateItem } from './action.ts';
import { isRevoked } from './expression.ts';
import { type Encoding, number } from './item.ts';
import { headIdOf, headKeyOf } from './keys.ts';

/** How often each grant was revoked, as far as it is known. Most grants never are. */
export type Epochs = ReadonlyMap<string, number>;

/** Whether the record is in the item of its grant's head. */
export const isInHead = ({ kind, id, grantId }: RecordKey): boolean =>
  kind === 'grant' && grantId !== undefined && id === headIdOf(grantId);

/** A grant in a commit. */
export interface GrantChange {
  readonly grantId: string;
  /** The number of revocations before the commit. */
  readonly epoch: number;
  /** Whether the commit revokes the grant. */
  readonly isRevoked: boolean;
  /** Whether the commit depends on the epoch, because it writes or checks records of the grant. */
  readonly isBound: boolean;
}

/** The update of a head that no longer has a record, or not the same one: it has to outlive all records of the grant. */
const keep = 'SET #version = :version REMOVE #ttl';

/**
 * The action about the head of a grant, if no record in it is written. It makes a revocation safe: a commit that read the
 * grant before the revocation is refused after it.
 */
export const headAction = (grant: GrantChange, table: string, { version }: Encoding): Action => {
  const { grantId, epoch, isRevoked: revokes, isBound } = grant;
  const key = headKeyOf(grantId);
  const values = { version: { S: version }, revoked: number(epoch), next: number(epoch + 1), one: number(1) };
  if (revokes && !isBound) {
    // Any number of revocations, of which none has to know of the others.
    return { item: updateItem(key, `${keep}, #sweep ADD #revoked :one`, { table, values }) };
  }
  const options = { table, values, condition: isRevoked(epoch) };
  const shared = { grantOfHead: grantId, epoch };
  if (revokes) {
    const update = 'SET #version = :version, #revoked = :next REMOVE #ttl, #sweep';
    return { ...shared, item: updateItem(key, update, options) };
  }
  return { ...shared, item: epoch === 0 ? checkItem(key, options) : updateItem(key, keep, options) };
};
