import { decodeJwt } from 'jose';
import type { RequestError } from './request-checks.ts';

/** The answer of an authorization endpoint. */
export type AuthorizationAnswer =
  | { readonly type: 'accepted' }
  | (RequestError & { readonly type: 'refused'; readonly isToClient: boolean })
  /** A response that is encrypted for the client (JARM). */
  | { readonly type: 'unreadable' };

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

const withoutEntities = (text: string): string =>
  text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);

/** The members of a response, which may be in a signed JWT. Undefined for a JWT that cannot be read. */
const membersOf = (given: URLSearchParams): URLSearchParams | undefined => {
  const jwt = given.get('response');
  if (jwt === null) return given;
  try {
    const entries = Object.entries(decodeJwt(jwt)).map(([name, value]) => [name, String(value)]);
    return new URLSearchParams(entries);
  } catch {
    return undefined;
  }
};

const answerOf = (given: URLSearchParams, isToClient: boolean): AuthorizationAnswer => {
  const members = membersOf(given);
  if (members === undefined) return { type: 'unreadable' };
  const error = members.get('error');
  if (error === null) return { type: 'accepted' };
  return { type: 'refused', error, description: members.get('error_description') ?? '', isToClient };
};

/** The fields of the page that posts a response to the client (Form Post Response Mode). */
const fieldsIn = (page: string): URLSearchParams =>
  new URLSearchParams(
    [...page.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      withoutEntities(value),
    ]),
  );

/** The error page for the user, which has the description, and the code in brackets. */
const errorPageIn = (page: string): RequestError | undefined => {
  const [, description = '', error] = /<\/h1><p>([^<]*) \(([a-z_]+)\)<\/p>/.exec(page) ?? [];
  return error === undefined ? undefined : { error, description: withoutEntities(description) };
};

/** @param redirectUri that of the request: a redirect to another place is the error page of the operator, or the login page */
export const readAnswer = async (response: Response, redirectUri: string | null): Promise<AuthorizationAnswer> => {
  const location = response.headers.get('location');
  if (location !== null) {
    const url = new URL(location);
    const isToClient = redirectUri === null ? response.status === 303 : location.startsWith(redirectUri);
    const inFragment = new URLSearchParams(url.hash.slice(1));
    return answerOf(inFragment.size > 0 ? inFragment : url.searchParams, isToClient);
  }
  const page = await response.text();
  const fields = fieldsIn(page);
  if (fields.has('error') || fields.has('response')) return answerOf(fields, true);
  if (response.ok) return { type: 'accepted' };
  const shown = errorPageIn(page) ?? { error: `http_${response.status}`, description: '' };
  return { type: 'refused', ...shown, isToClient: false };
};
