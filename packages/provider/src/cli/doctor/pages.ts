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

/** Whether the pages that people are sent to are there. */
export const pages: Check = {
  name: 'pages',
  run: ({ config: { urls, issuer } }) => {
    const found = new Map<string, string>();
    for (const [name, value] of Object.entries(urls)) {
      const nested =
        typeof value === 'string'
          ? { [name]: value }
          : Object.fromEntries(
              Object.entries((value ?? {}) as Record<string, string>).map(([part, url]) => [`${name}.${part}`, url]),
            );
      for (const [key, url] of Object.entries(nested)) if (typeof url === 'string') found.set(key, url);
    }
    return Promise.all([...found].map(([name, url]) => checkPage(name, url, issuer)));
  },
};
