import { spaceDelimited } from '../text/space-delimited.ts';
import type { FlowState } from './flow-state.ts';

export const authorizationPath = '/oauth2/auth';
export const logoutPath = '/oauth2/sessions/logout';
/** Where the person's part of a device flow begins, and where its verifiers come back. */
export const deviceVerificationPath = '/oauth2/device/verify';

/** Whether a browser that goes on with a flow comes to this path. */
export const isFlowPath = (path: string): boolean =>
  path.startsWith(authorizationPath) || path === deviceVerificationPath;

/** An absolute URL under the issuer, which may have a path of its own. */
export const issuerUrl = (issuer: string, path: string): URL => new URL(issuer.replace(/\/$/, '') + path);

/** How to send a browser to a page with one sealed token, prepared once: the token's alphabet needs no escaping. */
export const urlWith = (base: string | URL, name: string): ((token: string) => string) => {
  const url = new URL(base);
  // Last, whatever the page's own URL has.
  url.searchParams.delete(name);
  url.searchParams.append(name, '');
  const { href } = url;
  return (token) => href + token;
};

/**
 * The request again, from its sealed parameters: the API's `request_url`, and where to start again. Of a device's it is
 * where its code is asked for.
 */
export const restartUrl = (
  issuer: string,
  {
    params,
    waiting,
    redirectUriOmitted,
  }: Pick<FlowState, 'params' | 'redirectUriOmitted'> & { readonly waiting?: unknown },
  changed: Record<string, string> = {},
): string => {
  const { href } = issuerUrl(issuer, waiting ? deviceVerificationPath : authorizationPath);
  const query = new URLSearchParams(waiting ? changed : { ...params, ...changed });
  if (redirectUriOmitted) query.delete('redirect_uri');
  const resources = spaceDelimited(query.get('resource'));
  query.delete('resource');
  for (const resource of resources) query.append('resource', resource);
  return query.size === 0 ? href : `${href}?${query}`;
};
