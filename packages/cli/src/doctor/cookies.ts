import { type Check, type Finding, ok, warn } from './check.ts';

const siteOf = (url: string): string => new URL(url).hostname.split('.').slice(-2).join('.');

/** Whether browsers will keep and send ours. */
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
          'the login page is of another site than the issuer',
          'Works, as the way back is a navigation; front-channel logout in iframes may not, where browsers keep third-party cookies out.',
        ),
      );
    }
    return found.length > 0 ? found : [ok('are __Host- and Secure')];
  },
};
