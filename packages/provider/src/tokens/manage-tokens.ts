import type { StorageAdapter } from '@carnet/adapter-contract';
import type { ClientStore } from '../clients/client-store.ts';
import { CarnetError } from '../errors.ts';
import { createFindRevocation, type FindRevocationDependencies } from './find-revocation.ts';
import type { Introspection } from './introspect.ts';

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

export interface TokensDependencies extends FindRevocationDependencies {
  readonly introspect: (token: string, options: IntrospectOptions) => Promise<Introspection>;
  readonly clients: Pick<ClientStore, 'find' | 'update'>;
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
}

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
