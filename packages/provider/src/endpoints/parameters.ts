import { invalidRequest, OAuthError } from '../oauth-error.ts';
import { isScope } from '../text/space-delimited.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** All values of a parameter that may be repeated. An empty one is absent (RFC 6749, section 3.2). */
export const valuesOf = (params: URLSearchParams, name: string): readonly string[] =>
  params.getAll(name).filter((value) => value !== '');

/** @throws {OAuthError} `invalid_request` for parameters that are sent more than once (RFC 6749, section 3.2) */
export const assertOnce = (params: URLSearchParams, names: readonly string[]): void => {
  // Most requests repeat nothing: one look at all of them is cheaper than one for each of many names.
  if (names.length > 1 && new Set(params.keys()).size === params.size) return;
  const repeated = names.filter((name) => params.getAll(name).length > 1).map((name) => `'${name}'`);
  if (repeated.length === 0) return;
  const noun = repeated.length === 1 ? 'parameter' : 'parameters';
  throw invalidRequest(`${list.format(repeated)} ${noun} must not be provided twice`);
};

/** The value of a parameter that a request must have once. @throws {OAuthError} `invalid_request` */
export const required = (params: URLSearchParams, name: string): string => {
  assertOnce(params, [name]);
  const value = params.get(name);
  if (!value) throw invalidRequest(`missing required parameter '${name}'`);
  return value;
};

/** RFC 6749, section 3.3. An empty scope is absent. @throws {OAuthError} `invalid_scope` */
export const assertScopeSyntax = (scope: string | null | undefined): void => {
  if (scope && !isScope(scope)) throw new OAuthError('invalid_scope', 'scope contains invalid characters');
};
