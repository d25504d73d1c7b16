import type { StorageAdapter, Write } from '@carnet/adapter-contract';
import type { ClientStore } from '../clients/client-store.ts';
import { CarnetError } from '../errors.ts';
import type { KeyRing } from '../flow/key-ring.ts';
import type { Redemptions } from '../flow/redemptions.ts';
import type { AccessTokenJwts } from './access-token.ts';
import { createLookUp } from './active-token.ts';
import type { Introspection } from './introspect.ts';
import { findLaterToken } from './token-value.ts';

export interface IntrospectOptions {
  /** Space-delimited scopes. A token that lacks one of them is reported as inactive. */
  readonly scope?: string;
}

/** Access tokens and refresh tokens. */
export interface Tokens {
  /**
   * Returns whether a token is active, and its claims (RFC 7662, section 2.2).
   *
   * @example
   * const token = await carnet.tokens.introspect(bearer, { scope: 'orders:read' });
   * if (!token.active) return response.status(401).end();
   * response.json(await ordersOf(token.sub));
   */
  introspect(token: string, options?: IntrospectOptions): Promise<Introspection>;
  /**
   * Revokes a token with its grant: the refresh token and every access token that belong together. A token that was
   * issued by token exchange (RFC 8693) to another client than its grant is revoked alone. An unknown token is no
   * error.
   *
   * @throws CarnetError `invalid_request` for a JWT of token exchange, which can only expire
   */
  revoke(token: string): Promise<void>;
  /**
   * Revokes all access tokens of a client. Its refresh tokens stay valid. An unknown client is no error.
   *
   * @throws CarnetError `invalid_request` for a client with a metadata document, which is in no store
   */
  revokeAccessTokens(clientId: string): Promise<void>;
}

export interface TokensDependencies {
  readonly introspect: (token: string, options: IntrospectOptions) => Promise<Introspection>;
  readonly clients: Pick<ClientStore, 'find' | 'update'>;
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly jwts: Pick<AccessTokenJwts, 'open'>;
  readonly redemptions: Pick<Redemptions, 'revocation'>;
  readonly keyRing: Pick<KeyRing, 'mac' | 'secretNames'>;
}

/** How a token is revoked. */
export interface Revocation {
  /** The client that the token was issued to. */
  readonly clientId: string | undefined;
  /** Undefined for a JWT that can only expire: it was exchanged (RFC 8693) for a token of another client. */
  readonly writes: readonly Write[] | undefined;
}

/** Takes one read, or two for a value without a record. Returns undefined for a token that is unknown, or a JWT without a grant. */
export type FindRevocation = (token: string) => Promise<Revocation | undefined>;

/**
 * A token is revoked with its grant: the refresh token and every access token that belong together. An opaque token that
 * was exchanged for a token of another client is revoked alone: its client must not revoke the other tokens of the grant.
 */
export const createFindRevocation = (deps: Omit<TokensDependencies, 'introspect' | 'clients'>): FindRevocation => {
  const { jwts, adapter, redemptions, keyRing } = deps;
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
    const [own, grant] = await adapter.read(lookup.reads);
    const token = own ?? (await findLaterToken(value, grant, keyRing, adapter.read));
    if (token === undefined) return undefined;
    const { clientId } = token;
    const isOfGrant = grantId !== undefined && (grant === undefined || grant.clientId === clientId);
    return { clientId, writes: isOfGrant ? redemptions.revocation(grantId) : [{ type: 'remove', key }] };
  };
};

/** Carnet issues no token as long as this. */
const maxTokenLength = 16_384;

const inNoStore = (): CarnetError =>
  new CarnetError(
    'invalid_request',
    'The client is known by its metadata document only. To end its tokens, register a client with its client_id: they are inactive for as long as it is registered.',
  );

export const createTokens = (deps: TokensDependencies): Tokens => {
  const { clients, adapter } = deps;
  const findRevocation = createFindRevocation(deps);

  return {
    introspect: (token, options = {}) =>
      token.length > maxTokenLength ? Promise.resolve({ active: false }) : deps.introspect(token, options),
    async revoke(value) {
      if (value.length > maxTokenLength) return;
      const revocation = await findRevocation(value);
      if (revocation === undefined) return;
      const { writes } = revocation;
      if (writes === undefined)
        throw new CarnetError(
          'invalid_request',
          'A JWT from token exchange cannot be revoked: it is valid until it expires.',
        );
      if (writes.length > 0) await adapter.commit(writes);
    },
    async revokeAccessTokens(clientId) {
      try {
        // The tokens carry this number. A time would not do: the clocks of several processes differ.
        await clients.update(clientId, (record) => ({
          ...record,
          tokenRevocations: (record.tokenRevocations ?? 0) + 1,
        }));
      } catch (error) {
        if (!(error instanceof CarnetError && error.code === 'not_found')) throw error;
        // No record could hold the number: reporting success would be wrong.
        if (await clients.find(clientId)) throw inNoStore();
      }
    },
  };
};
