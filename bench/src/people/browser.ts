import type { HttpPool } from './http-pool.ts';

/** What a browser keeps; the paths of cookies are not told apart. */
export type Cookies = Map<string, string>;

const pathOf = (url: string): string => url.slice(url.indexOf('/', 'https://'.length));

const store = (cookies: Cookies, lines: string | readonly string[] | undefined): void => {
  for (const line of typeof lines === 'string' ? [lines] : (lines ?? [])) {
    const pair = line.slice(0, line.indexOf(';'));
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1);
    if (value === '') cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), value);
  }
};

const headerOf = (cookies: Cookies): Record<string, string> =>
  cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };

/** Follows a link; returns where it redirects to. */
export const visit = async (pool: HttpPool, cookies: Cookies, url: string): Promise<string> => {
  const { headers } = await pool.send({ method: 'GET', path: pathOf(url), headers: headerOf(cookies) }, 302, 303);
  store(cookies, headers['set-cookie']);
  return String(headers.location);
};
