import type { Answer, HttpPool } from './http-pool.ts';

/** The cookies of a browser, by name: their paths are ignored. */
export type Cookies = Map<string, string>;

const pathOf = (url: string): string => (url.startsWith('/') ? url : url.slice(url.indexOf('/', 'https://'.length)));

const store = (cookies: Cookies, lines: readonly string[]): void => {
  for (const line of lines) {
    const pair = line.slice(0, line.indexOf(';'));
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1);
    if (value === '') cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), value);
  }
};

/** The header that sends the cookies; none without cookies. */
export const headerOf = (cookies: Cookies): Record<string, string> =>
  cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };

const get = async (pool: HttpPool, cookies: Cookies, url: string, ...expected: readonly number[]): Promise<Answer> => {
  const answer = await pool.send({ method: 'GET', path: pathOf(url), headers: headerOf(cookies) }, ...expected);
  store(cookies, answer.cookies);
  return answer;
};

/** Opens a page; returns its HTML. */
export const openPage = async (pool: HttpPool, cookies: Cookies, url: string): Promise<string> =>
  (await get(pool, cookies, url, 200)).body;

/** Posts a body with the cookies of the browser. */
export const post = async (
  pool: HttpPool,
  cookies: Cookies,
  url: string,
  {
    headers,
    body,
    expected,
  }: { readonly headers: Record<string, string>; readonly body: string; readonly expected: number },
): Promise<Answer> => {
  const sent = { method: 'POST', path: pathOf(url), headers: { ...headerOf(cookies), ...headers }, body } as const;
  const answer = await pool.send(sent, expected);
  store(cookies, answer.cookies);
  return answer;
};

const formTag = /<form\b[^>]*?\baction="([^"]*)"/i;
const hiddenInput = /<input\b(?=[^>]*\btype="hidden")[^>]*?\bname="([^"]*)"[^>]*?\bvalue="([^"]*)"/gi;
const unescaped = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** The names and values of the hidden fields of a page. */
export const hiddenFields = (page: string): [name: string, value: string][] =>
  [...page.matchAll(hiddenInput)].map(([, name = '', value = '']) => [name, unescaped(value)]);

/** Fills in and submits the first form of a page; returns the URL to which the answer redirects. */
export const submitForm = async (
  pool: HttpPool,
  cookies: Cookies,
  page: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> => {
  const action = unescaped(formTag.exec(page)?.[1] ?? '');
  const body = new URLSearchParams({ ...Object.fromEntries(hiddenFields(page)), ...fields }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await post(pool, cookies, action, { headers, body, expected: 302 })).location;
};

/** Follows a link; returns the URL to which it redirects. */
export const visit = async (pool: HttpPool, cookies: Cookies, url: string): Promise<string> =>
  (await get(pool, cookies, url, 302, 303)).location;

const inputs = /<input\b[^>]*?\bname="([^"]*)"[^>]*?\bvalue="([^"]*)"/gi;

/**
 * Follows a link to the client.
 *
 * @returns the parameters of the authorization response: of the redirect URI's query, or of the form that is posted there
 *   (OAuth 2.0 Form Post Response Mode)
 */
export const visitClient = async (pool: HttpPool, cookies: Cookies, url: string): Promise<URLSearchParams> => {
  const { status, location, body } = await get(pool, cookies, url, 200, 302, 303);
  if (status !== 200) return new URL(location).searchParams;
  return new URLSearchParams([...body.matchAll(inputs)].map(([, name = '', value = '']) => [name, value]));
};
