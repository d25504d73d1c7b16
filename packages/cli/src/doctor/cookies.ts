import { type Check, type Finding, ok, warn } from './check.ts';

const siteOf = (url: string): string => new URL(url).hostname.split('.').slice(-2).join('.');

/** Whether browsers store and send the cookies of Carnet. */
export const cookies: Check = {
  name: 'cookies',
  run: async ({ config: { issuer, urls } }) => {
    const found: Finding[] = [];
    const isSecure = issuer.startsWith('https:');
    if (!isSecure) found.push(warn('are neither Secure nor __Host-', 'Serve the issuer over https.'));
    const pages = (['login', 'consent'] as const).filter((page) => isSecure && urls[page].startsWith('http:'));
    if (pages.length > 0) {
      found.push(
        warn(`urls.${pages.join(', urls.')}: not https`, 'Passwords that users enter there can be read in transit.'),
      );
    }
    if (siteOf(issuer) !== siteOf(urls.login)) {
      found.push(
        warn(
          'the login page and the issuer are different sites',
          'Logins work, because they return by navigation. Front-channel logout in iframes fails in browsers that block third-party cookies.',
        ),
      );
    }
    return found.length > 0 ? found : [ok('are __Host- and Secure')];
  },
};
