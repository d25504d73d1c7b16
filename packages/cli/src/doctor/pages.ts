import type { Config } from '@carnet/provider/config';
import { ask } from './ask.ts';
import { type Check, type Finding, fail, ok, warn } from './check.ts';

const checkPage = async (name: string, url: string, issuer: string): Promise<Finding> => {
  const answer = await ask(url);
  const key = `urls.${name}`;
  if (typeof answer === 'string') {
    return fail(`${key}: ${url} is not there: ${answer}`, 'Start the login app, or set the key to where it is.');
  }
  const { status, headers } = answer.response;
  const location = headers.get('location');
  if (location?.startsWith(`${issuer}/oauth2/auth`)) {
    return fail(
      `${key}: ${url} sends people back to the issuer`,
      'It would go round for ever: set the key to the page itself.',
    );
  }
  if (status === 404 || status >= 500) {
    return warn(`${key}: ${url} answers ${status} without a challenge`, 'See whether it is the right page.');
  }
  return ok(`${key}: ${url} answers`);
};

/** Nobody is sent there: a program posts to it. */
const isPage = ([name]: readonly [string, unknown]): boolean => name !== 'backchannelAuthentication';

/** Every page with the key that names it, those in groups (`urls.device`) too. */
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
          'urls.device.verification: is not set, so nobody can type the code of a device',
          'Set it to the page that asks for codes, or switch the device flow off: features.device.enabled.',
        ),
      ]
    : [];

/** Whether the pages that people are sent to are there. */
export const pages: Check = {
  name: 'pages',
  run: async ({ config }) => {
    const asked = pagesOf(config.urls).map(([name, url]) => checkPage(name, url, config.issuer));
    return [...missingPages(config), ...(await Promise.all(asked))];
  },
};
