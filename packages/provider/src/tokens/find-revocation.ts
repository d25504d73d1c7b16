import type { StorageAdapter, Write } from '@carnet/adapter-contract';
import type { Redemptions } from '../flow/redemptions.ts';
import type { AccessTokenJwts } from './access-token.ts';
import { createLookUp } from './active-token.ts';

/** How a token is revoked. */
export interface Revocation {
  /** The client that the token was issued to. */
  readonly clientId: string | undefined;
  /** Undefined for a JWT that can only expire: it was exchanged (RFC 8693) for a token of another client. */
  readonly writes: readonly Write[] | undefined;
}

export interface FindRevocationDependencies {
  readonly jwts: Pick<AccessTokenJwts, 'open'>;
  readonly adapter: Pick<StorageAdapter, 'read'>;
  readonly redemptions: Pick<Redemptions, 'revocation'>;
}

/** By one read at most. Undefined for a token that is unknown, or a JWT without a grant. */
export type FindRevocation = (token: string) => Promise<Revocation | undefined>;

/**
 * A token is revoked with its grant: the refresh token and every access token that belong together. An opaque token that
 * was exchanged for a token of another client is revoked alone: its client must not revoke the other tokens of the grant.
 */
export const createFindRevocation = ({ jwts, adapter, redemptions }: FindRevocationDependencies): FindRevocation => {
  const lookUp = createLookUp(jwts);

  return async (value) => {
    const lookup = lookUp(value);
    const [key] = lookup?.reads ?? [];
    if (lookup === undefined || key === undefined) return undefined;
    const { grantId } = key;
    if (lookup.keys === undefined) {
      const { client_id: clientId } = lookup.claims;
      const [grant] = await adapter.read(lookup.reads);
      if (grantId === undefined || grant === undefined) return { clientId, writes: [] };
      return { clientId, writes: grant.clientId === clientId ? redemptions.revocation(grantId) : undefined };
    }
    const [token, grant] = await adapter.read(lookup.reads);
    if (token === undefined) return undefined;
    const { clientId } = token;
    const isOfGrant = grantId !== undefined && (grant === undefined || grant.clientId === clientId);
    return { clientId, writes: isOfGrant ? redemptions.revocation(grantId) : [{ type: 'remove', key }] };
  };
};
