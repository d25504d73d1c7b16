/**
 * The URL that starts the authorization request again with another account: the user is asked to sign in, and no account is
 * suggested. Undefined if the request has no such URL: the parameters of a pushed or signed request cannot be changed, and
 * a device has started its request elsewhere.
 */
export const otherAccountUrl = (requestUrl: string | null | undefined, issuer: URL): string | undefined => {
  const url = URL.parse(requestUrl ?? '');
  const folder = issuer.pathname.endsWith('/') ? issuer.pathname : `${issuer.pathname}/`;
  if (url === null || url.origin !== issuer.origin || !url.pathname.startsWith(folder)) return undefined;
  const { searchParams } = url;
  if (!searchParams.has('client_id') || searchParams.has('request_uri') || searchParams.has('request'))
    return undefined;
  // Not with `select_account`: the user has to sign in to the other account.
  searchParams.set('prompt', 'login');
  searchParams.delete('login_hint');
  searchParams.delete('id_token_hint');
  return url.href;
};
