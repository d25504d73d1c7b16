import type { ClientRecord } from '../../clients/client-record.ts';
import type { SigningKeys } from '../../keys/signing/signing-keys.ts';
import { invalidRequest } from '../../oauth-error.ts';
import { type IdTokenHint, openIdTokenHint } from '../../tokens/id-token.ts';

interface LogoutRequestDependencies {
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly keys: SigningKeys;
  readonly issuer: string;
}

export interface LogoutRequest {
  readonly hint?: IdTokenHint;
  readonly clientId?: string;
  /** Registered for the client, `state` added. */
  readonly redirectTo?: string;
}

export const refuseLogout = (what: string): never => {
  throw invalidRequest(what);
};

const withState = (uri: string, state: string | null): string => {
  if (state === null) return uri;
  const url = new URL(uri);
  url.searchParams.set('state', state);
  return url.href;
};

/**
 * Reads the request of a client (RP-Initiated Logout 1.0, section 2).
 *
 * @throws {OAuthError} `invalid_request`
 */
export const parseLogoutRequest = async (
  params: URLSearchParams,
  { keys, issuer, clients }: LogoutRequestDependencies,
): Promise<LogoutRequest> => {
  const jwt = params.get('id_token_hint');
  const hint = jwt === null ? undefined : openIdTokenHint({ keys, issuer }, jwt);
  if (jwt !== null && hint === undefined) return refuseLogout('id_token_hint is not an ID token of this provider.');
  const named = params.get('client_id') ?? undefined;
  if (hint && named !== undefined && named !== hint.clientId)
    return refuseLogout('client_id is not the one of id_token_hint.');
  const clientId = hint?.clientId ?? named;
  const uri = params.get('post_logout_redirect_uri');
  if (clientId === undefined) {
    // `state` belongs to the redirect. Without a redirect it is ignored.
    if (uri === null) return {};
    return refuseLogout('post_logout_redirect_uri needs an id_token_hint or a client_id.');
  }
  const client = await clients.find(clientId);
  if (client === undefined) return refuseLogout('The client is not known.');
  if (uri === null) return { hint, clientId };
  if (!client.metadata.post_logout_redirect_uris?.includes(uri))
    return refuseLogout('post_logout_redirect_uri is not registered.');
  return { hint, clientId, redirectTo: withState(uri, params.get('state')) };
};
