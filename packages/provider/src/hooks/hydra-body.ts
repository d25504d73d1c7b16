import type { TokenHookRequest } from './hook.ts';

/** The bodies of token hooks over HTTP, as in Hydra. */

/** How and when the user has authenticated. */
export interface HookedLogin {
  /** Seconds since 1970. */
  readonly authTime?: number;
  readonly nonce?: string;
  readonly acr?: string;
  readonly amr?: readonly string[];
}

export interface HydraBodyOptions {
  readonly issuer: string;
  readonly accessTokenClaims: {
    readonly allowedTopLevel: readonly string[];
    readonly mirrorTopLevel: boolean;
    readonly excludeNotBefore: boolean;
  };
}

export type ToHookBody = (
  request: TokenHookRequest,
  login: HookedLogin | undefined,
  options: HydraBodyOptions,
) => object;

const sessionOf: ToHookBody = ({ client, subject, claims }, login = {}, { issuer, accessTokenClaims }) => ({
  id_token: {
    id_token_claims: {
      jti: '',
      iss: issuer,
      sub: subject,
      aud: [client.client_id],
      at_hash: '',
      c_hash: '',
      nonce: login.nonce ?? '',
      acr: login.acr ?? '',
      amr: login.amr ?? null,
      auth_time: login.authTime,
      ext: claims.idToken,
    },
    headers: { extra: {} },
    username: '',
    subject,
  },
  extra: claims.accessToken,
  client_id: client.client_id,
  consent_challenge: '',
  exclude_not_before_claim: accessTokenClaims.excludeNotBefore,
  allowed_top_level_claims: accessTokenClaims.allowedTopLevel,
  mirror_top_level_claims: accessTokenClaims.mirrorTopLevel,
});

export const tokenHookBody: ToHookBody = (request, login, options) => ({
  session: sessionOf(request, login, options),
  request: {
    client_id: request.client.client_id,
    client: request.client,
    requested_scopes: request.requestedScopes,
    granted_scopes: request.grantedScopes,
    granted_audience: request.grantedAudience,
    grant_types: [request.grantType],
    payload: request.parameters,
  },
});

export const refreshTokenHookBody: ToHookBody = (request, login, options) => {
  const { client_id } = request.client;
  const granted = { granted_scopes: request.grantedScopes, granted_audience: request.grantedAudience };
  return {
    subject: request.subject,
    session: sessionOf(request, login, options),
    requester: { client_id, ...granted, grant_types: ['refresh_token'] },
    client_id,
    ...granted,
  };
};
