import { AccountsError } from '@carnet/accounts/client';
import { formBody } from '../http/form-body.ts';
import { Problem } from '../problem.ts';
import type { Operation } from '../services.ts';
import { providerOfPath } from './provider-name.ts';

const respond = (status: number, body?: object): Response =>
  new Response(body && JSON.stringify(body), {
    status,
    headers: { 'cache-control': 'no-store', ...(body && { 'content-type': 'application/json' }) },
  });

/** Why the request is no valid one (OpenID Connect Back-Channel Logout 1.0, section 2.8). */
const refused = respond.bind(undefined, 400, { error: 'invalid_request' });

/**
 * POST /login/provider/<name>/logout: a provider notifies us that a user has signed out there. It is no page: the provider itself
 * sends the request.
 *
 * Safe although any site can post to it because the accounts API verifies the signature of the token, and accepts it once.
 */
export const receiveLogout: Operation = async ({ accounts }, request) => {
  const provider = providerOfPath(new URL(request.url).pathname, 'logout');
  if (request.method !== 'POST' || provider === undefined) throw new Problem('invalid_link');
  try {
    const logoutToken = (await formBody(request)).get('logout_token');
    if (!logoutToken || logoutToken.length > 16_384) return refused();
    const ended = await accounts.providers.backchannelLogout({ provider, logoutToken });
    return ended.ok ? respond(200) : refused();
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_form') return refused();
    if (error instanceof AccountsError && error.code === 'not_supported') return refused();
    throw error;
  }
};
