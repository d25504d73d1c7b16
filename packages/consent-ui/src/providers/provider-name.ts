/** The format of `accounts.providers[].name`. */
export const isProviderName = (text: string): boolean => /^[a-z][a-z0-9-]{0,31}$/.test(text);

const paths = {
  callback: /^\/login\/provider\/([^/]+)$/,
  metadata: /^\/login\/provider\/([^/]+)\/metadata$/,
  /** Notifications of a logout. */
  logout: /^\/login\/provider\/([^/]+)\/logout$/,
  /** The page to which a provider sends the browser after a sign-out. */
  signedOut: /^\/login\/provider\/([^/]+)\/signed-out$/,
} as const;

/** The provider of a callback page, or of another path below it; undefined if it is the path of another page. */
export const providerOfPath = (path: string, kind: keyof typeof paths = 'callback'): string | undefined => {
  const name = paths[kind].exec(path)?.[1] ?? '';
  return isProviderName(name) ? name : undefined;
};
