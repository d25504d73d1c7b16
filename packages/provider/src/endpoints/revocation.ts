import { readJws } from '@carnet/signer-contract/jws';
import { invalidRequest, OAuthError } from '../oauth-error.ts';
import type { ClientAnswer } from './client-endpoint.ts';
import type { EndpointDependencies } from './dependencies.ts';
import { assertOnce, required } from './parameters.ts';

const unsupported = (description: string): OAuthError => new OAuthError('unsupported_token_type', description);

/** `POST /oauth2/revoke` (RFC 7009): a client revokes a token of its own. The value of a token shows its type. */
export const createRevocationEndpoint =
  ({ findRevocation }: EndpointDependencies): ClientAnswer =>
  async ({ params }, { record }, store) => {
    assertOnce(params, ['token', 'token_type_hint']);
    const token = required(params, 'token');
    const found = await findRevocation(token);
    if (found === undefined) {
      if (readJws(token)?.header.alg === undefined) return { status: 200 };
      throw unsupported('Structured JWT Tokens cannot be revoked via the revocation_endpoint');
    }
    if (found.clientId !== record.id) throw invalidRequest('the token was not issued to this client');
    if (found.writes === undefined)
      throw unsupported('a JWT from token exchange cannot be revoked: it is valid until it expires');
    if (found.writes.length > 0) await store.commit(found.writes);
    return { status: 200 };
  };
