import { Problem } from '../problem.ts';

const isUnder = (prefix: string, path: string): boolean => {
  // A proxy may decode these into separators, which changes the path.
  if (/%2f|%5c|%2e/i.test(path)) return false;
  const folder = prefix.endsWith('/') ? prefix : `${prefix}/`;
  return path === prefix || path.startsWith(folder);
};

/**
 * The URL to send the browser to, or a `foreign_redirect` problem.
 *
 * Safe because the parsed URL, not the text, is compared and returned: it has the issuer's origin, lies under the
 * issuer's path,
 * and carries no user name, so neither `issuer@evil`, nor `//evil`, nor `/tenant/../other` gets through.
 */
export const redirectTarget = (issuer: URL, redirectTo: string): string => {
  const url = URL.canParse(redirectTo) ? new URL(redirectTo) : undefined;
  if (!url || url.origin !== issuer.origin || !isUnder(issuer.pathname, url.pathname) || url.username || url.password) {
    throw new Problem('foreign_redirect', {
      cause: `redirect_to does not start with ${issuer.href}: set CARNET_ISSUER to the provider's issuer`,
    });
  }
  return url.href;
};
