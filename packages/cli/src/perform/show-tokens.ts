import type { TokenEndpointResponse } from 'openid-client';
import type { Surface, Values } from '../command.ts';
import { show } from '../output.ts';

/** Prints a token response. The tokens are shown, because the command exists to get them. */
export const showTokens = (
  values: Values,
  surface: Pick<Surface, 'out'>,
  tokens: TokenEndpointResponse,
): Promise<void> => {
  const { access_token, refresh_token = '', id_token = '', expires_in, scope = '' } = tokens;
  const expiry = expires_in === undefined ? '' : new Date(Date.now() + expires_in * 1000).toISOString();
  return show(values, surface, {
    body: tokens,
    headers: ['ACCESS TOKEN', 'REFRESH TOKEN', 'ID TOKEN', 'EXPIRY', 'SCOPE'],
    rows: [[access_token, refresh_token, id_token, expiry, scope]],
    ids: [access_token],
  });
};
