import { createBrowser } from '../../packages/provider/test/browser.ts';

/** Where a user has arrived after all redirects. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

export interface User {
  open(url: string): Promise<Page>;
  /** Sends a form. */
  submit(url: string, fields: Readonly<Record<string, string>>): Promise<Page>;
}

const maximumRedirects = 20;

/**
 * A user with a browser that keeps cookies and follows every redirect.
 * `proxied` has the servers behind origins that a proxy would serve over https.
 */
export const createUser = (proxied: Readonly<Record<string, string>> = {}): User => {
  const cookies = new Map<string, string>();
  const send = (url: string | URL | Request, init?: RequestInit) => {
    const { origin } = new URL(String(url));
    return fetch(String(url).replace(origin, proxied[origin] ?? origin), init);
  };
  const browser = createBrowser(cookies, send);

  const arrive = async (first: Response, from: string): Promise<Page> => {
    let [response, url] = [first, from];
    for (let redirects = 0; redirects < maximumRedirects; redirects += 1) {
      const location = response.headers.get('location');
      if (location === null) return { url, status: response.status, text: await response.text() };
      await response.body?.cancel();
      url = new URL(location, url).href;
      response = await browser.get(url);
    }
    throw new Error(`More than ${maximumRedirects} redirects, the last one to ${url}`);
  };

  return {
    open: async (url) => arrive(await browser.get(url), url),
    submit: async (url, fields) => {
      const posting = createBrowser(cookies, (target, init) =>
        send(target, { ...init, method: 'POST', body: new URLSearchParams(fields) }),
      );
      return arrive(await posting.get(url), url);
    },
  };
};

/** What a page with JSON contains. */
export const jsonOf = ({ status, text, url }: Page): unknown => {
  if (status !== 200) throw new Error(`${status} at ${url}: ${text}`);
  return JSON.parse(text);
};
