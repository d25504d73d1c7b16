/** The format of `accounts.providers[].name`. */
export const isProviderName = (text: string): boolean => /^[a-z][a-z0-9-]{0,31}$/.test(text);

const callbackPath = /^\/login\/provider\/([^/]+)$/;

const logoutPath = /^\/login\/provider\/([^/]+)\/logout$/;

const nameIn = (path: string, pattern: RegExp): string | undefined => {
  const name = pattern.exec(path)?.[1] ?? '';
  return isProviderName(name) ? name : undefined;
};

/** The provider of a callback page by its path; undefined if it is the path of another page. */
export const providerOfPath = (path: string): string | undefined => nameIn(path, callbackPath);

/** The provider whose notifications of a logout have this path. */
export const providerOfLogout = (path: string): string | undefined => nameIn(path, logoutPath);
