import { jsonResponse, type LeanResponse } from './fast-endpoint.ts';

/** A successful answer of the token endpoint (RFC 6749, section 5.1; OpenID Connect Core, section 3.1.3.3). */
export interface TokenAnswer {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  readonly id_token?: string;
  readonly refresh_token?: string;
  readonly scope?: string;
}

/** In the order in which oidc-provider writes its members. */
export const tokenResponse = ({
  access_token,
  expires_in,
  id_token,
  refresh_token,
  scope,
}: TokenAnswer): LeanResponse =>
  jsonResponse({ access_token, expires_in, id_token, refresh_token, scope, token_type: 'Bearer' });
