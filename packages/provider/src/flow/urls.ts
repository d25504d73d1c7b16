import { spaceDelimited } from '../text/space-delimited.ts';
import type { FlowState } from './flow-state.ts';

export const authorizationPath = '/oauth2/auth';
export const logoutPath = '/oauth2/sessions/logout';
/** The path at which the user begins the flow of a device, and to which its verifiers return. */
export const deviceVerificationPath = '/oauth2/device/verify';

/** An absolute URL under the issuer. The issuer may have a path. */
export const issuerUrl = (issuer: string, path: string): URL => new URL(issuer.replace(/\/$/, '') + path);

/** Prepares the URL of a page that receives a sealed token as its last parameter. Tokens need no escaping. */
export const urlWith = (base: string | URL, name: string): ((token: string) => string) => {
  const url = new URL(base);
  // The parameter must be the last one, so that the token can be appended to the URL.
  url.searchParams.delete(name);
  url.searchParams.append(name, '');
  const { href } = url;
  return (token) => href + token;
};

/** A query of many values. `new URLSearchParams(values)` takes five times as long. */
export const queryOf = (values: Readonly<Record<string, string>>): URLSearchParams => {
  const query = new URLSearchParams();
  for (const name of Object.keys(values)) query.append(name, values[name] ?? '');
  return query;
};

/**
 * The URL that repeats the request with its sealed parameters: the `request_url` of the API, and the link to start
 * again. For the flow of a device it is the page that asks for the user code.
 */
export const restartUrl = (
  issuer: string,
  request: Pick<FlowState, 'params' | 'extra' | 'redirectUriOmitted'> & { readonly waiting?: unknown },
  changed: Record<string, string> = {},
): string => {
  const { params, extra, waiting, redirectUriOmitted } = request;
  const { href } = issuerUrl(issuer, waiting ? deviceVerificationPath : authorizationPath);
  const { resource, ...others }: Record<string, string> = waiting ? changed : { ...params, ...extra, ...changed };
  const query = queryOf(others);
  if (redirectUriOmitted) query.delete('redirect_uri');
  for (const each of spaceDelimited(resource)) query.append('resource', each);
  return query.size === 0 ? href : `${href}?${query}`;
};
