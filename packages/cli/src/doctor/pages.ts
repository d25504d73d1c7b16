import type { Config } from '@carnet/provider/config';
import { ask } from './ask.ts';
import { type Check, type Finding, fail, ok, warn } from './check.ts';

const checkPage = async (name: string, url: string, issuer: string): Promise<Finding> => {
  const answer = await ask(url);
  const key = `urls.${name}`;
  if (typeof answer === 'string') {
    return fail(`${key}: ${url} does not answer: ${answer}`, 'Start the login app, or set the key to its URL.');
  }
  const { status, headers } = answer.response;
  const location = headers.get('location');
  if (location?.startsWith(`${issuer}/oauth2/auth`)) {
    return fail(
      `${key}: ${url} redirects back to the issuer`,
      'This is an endless redirect: set the key to the URL of the page itself.',
    );
  }
  if (status === 404 || status >= 500) {
    return warn(`${key}: ${url} answers ${status} without a challenge`, 'Check that it is the right page.');
  }
  return ok(`${key}: ${url} answers`);
};

/** Not a page: Carnet posts to this URL. */
const isPage = ([name]: readonly [string, unknown]): boolean => name !== 'backchannelAuthentication';

/** Every page with its configuration key, including those in groups (`urls.device`). */
const pagesOf = (urls: object, prefix = ''): readonly (readonly [name: string, url: string])[] =>
  Object.entries(urls)
    .filter(isPage)
    .flatMap(([name, value]) => {
      if (typeof value === 'string') return [[prefix + name, value] as const];
      return typeof value === 'object' && value !== null ? pagesOf(value, `${prefix}${name}.`) : [];
    });

const missingPages = ({ urls, features }: Config): readonly Finding[] =>
  features.device.enabled && urls.device.verification === undefined
    ? [
        warn(
          'urls.device.verification: is not set, so users have no page for the code of a device',
          'Set it to the page where users enter the code, or switch the device flow off: features.device.enabled.',
        ),
      ]
    : [];

/** Whether the pages that users are redirected to answer. */
export const pages: Check = {
  name: 'pages',
  run: async ({ config }) => {
    const asked = pagesOf(config.urls).map(([name, url]) => checkPage(name, url, config.issuer));
    return [...missingPages(config), ...(await Promise.all(asked))];
  },
};
