import type { TokenAnswer } from '../tokens/issue.ts';
import { jsonResponse, type LeanResponse } from './fast-endpoint.ts';

/** In the order in which oidc-provider writes its members. */
export const tokenResponse = ({
  access_token,
  expires_in,
  id_token,
  refresh_token,
  scope,
}: TokenAnswer): LeanResponse =>
  jsonResponse({ access_token, expires_in, id_token, refresh_token, scope, token_type: 'Bearer' });
