import type { IncomingHttpHeaders } from 'node:http';
import { CarnetError } from '../errors.ts';
import { isDeepJson } from '../http/strict-json.ts';

/**
 * Limits of every request, checked first (D10): sizes that real clients stay far below, and no control characters,
 * which no OAuth parameter needs and some databases refuse.
 */
export const maxQueryLength = 8_192;
const maxLengths: Readonly<Record<string, number>> = {
  state: 1_536,
  nonce: 512,
  redirect_uri: 1_024,
  scope: 1_024,
  client_assertion: 8_192,
  request: 49_152,
  claims: 8_192,
  authorization_details: 16_384,
  assertion: 8_192,
  subject_token: 8_192,
  actor_token: 8_192,
};
const maxLength = 4_096;
const maxScopes = 50;
const maxParams = 60;

const jsons: ReadonlySet<string> = new Set(['claims', 'authorization_details']);
const jwts: ReadonlySet<string> = new Set(['request', 'client_assertion', 'assertion', 'id_token_hint']);

const textOf = (part: string): string => Buffer.from(part, 'base64url').toString();

/** The JSON in a parameter: itself, or the header and the payload of a JWT. */
const jsonIn = (name: string, value: string): readonly string[] => {
  if (jwts.has(name)) return value.split('.', 2).map(textOf);
  return jsons.has(name) ? [value] : [];
};

const hasForbidden = (text: string): boolean => /[\p{Cc}\p{Cs}]/u.test(text);

/**
 * A parameter's name as errors say it. Only letters and underscores are quoted: any other name could be a sentence,
 * which a link would have the error page show to a user.
 */
export const quotedName = (name: string): string => (/^[a-z_]{1,40}$/.test(name) ? name : 'a parameter');

/** The problem of a parameter, without its value. */
export const problemOf = (name: string, value: string): string | undefined => {
  if (hasForbidden(name) || hasForbidden(value)) return 'a parameter contains control characters';
  if (value.length > (maxLengths[name] ?? maxLength)) return `${quotedName(name)} is too long`;
  if (name === 'scope' && value.split(' ').length > maxScopes) return `scope names more than ${maxScopes} scopes`;
  if (jsonIn(name, value).some(isDeepJson)) return `${quotedName(name)} is nested too deep`;
  return undefined;
};

/** The first problem of the parameters of a form or a query, without any value. */
const problemOfParams = (params: URLSearchParams): string | undefined => {
  if (params.size > maxParams) return `more than ${maxParams} parameters`;
  for (const [name, value] of params) {
    const problem = problemOf(name, value);
    if (problem) return problem;
  }
  return undefined;
};

/**
 * Checks the parameters of a request. `scope` given several times with one value, as some clients do, becomes one parameter.
 *
 * @throws CarnetError `invalid_request`. Two `redirect_uri` parameters are refused here, where no response is a redirect.
 */
export const settleParams = (params: URLSearchParams): void => {
  const isRepeated = params.getAll('redirect_uri').length > 1;
  const problem = isRepeated ? 'redirect_uri must not be given twice' : problemOfParams(params);
  if (problem) throw new CarnetError('invalid_request', problem);
  const [scope, ...more] = params.getAll('scope');
  if (scope === undefined || more.length === 0 || more.some((other) => other !== scope)) return;
  params.set('scope', scope);
};

export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export const assertHead = (method: string, allowed: readonly string[], query: string): void => {
  if (!allowed.includes(method))
    throw new CarnetError('method_not_allowed', `This path answers ${allowed.join(', ')}.`);
  if (query.length > maxQueryLength)
    throw new CarnetError('uri_too_long', `the query is longer than ${maxQueryLength} characters`);
};

export const notAForm = (): CarnetError =>
  new CarnetError('invalid_request', 'the body has to be application/x-www-form-urlencoded');
