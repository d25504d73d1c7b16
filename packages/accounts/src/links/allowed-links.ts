import { AccountsError } from '../accounts-error.ts';

/** The link of one email, and the page to which the user goes afterwards. */
export interface AllowedLink {
  /** `linkBase` with the token. */
  withToken(token: string): string;
  readonly returnTo: string | undefined;
}

export interface AllowedLinks {
  /** @throws AccountsError `foreign_link` */
  of(input: { readonly linkBase: string; readonly returnTo?: string | undefined }): AllowedLink;
}

const foreign = (name: string): AccountsError =>
  new AccountsError(
    'foreign_link',
    `${name} must have the origin of urls.login, urls.registration or accounts.passkeys.origins.`,
  );

/** A path of the login app. `//host` and `/\host` are addresses of other hosts for browsers. */
const isPath = (text: string): boolean => /^\/(?![/\\])/.test(text) && !/[\p{Cc}\\]/u.test(text);

/**
 * The links of emails and the pages after them.
 *
 * Safe because only the configured origins are accepted: no caller can make Carnet send users an email with a link to another
 * site, or redirect users to another site.
 */
export const createAllowedLinks = (origins: readonly string[]): AllowedLinks => {
  const isAllowed = (text: string): boolean => {
    const url = URL.parse(text);
    const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
    return url !== null && isWeb && url.username === '' && url.password === '' && origins.includes(url.origin);
  };
  return {
    of: ({ linkBase, returnTo }) => {
      if (!isAllowed(linkBase)) throw foreign('The page of the link');
      if (returnTo !== undefined && !isPath(returnTo) && !isAllowed(returnTo)) throw foreign('The page after the link');
      const withToken = (token: string): string => {
        const url = new URL(linkBase);
        url.searchParams.set('token', token);
        return url.href;
      };
      return { withToken, returnTo };
    },
  };
};
