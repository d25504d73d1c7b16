/** The format of `accounts.providers[].name`. */
export const isProviderName = (text: string): boolean => /^[a-z][a-z0-9-]{0,31}$/.test(text);

const callbackPath = /^\/login\/provider\/([^/]+)$/;

/** The provider of a callback page by its path; undefined if it is the path of another page. */
export const providerOfPath = (path: string): string | undefined => {
  const name = callbackPath.exec(path)?.[1] ?? '';
  return isProviderName(name) ? name : undefined;
};
