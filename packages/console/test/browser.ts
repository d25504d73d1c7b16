import type { Carnet } from '@carnet/provider';

/** A browser with cookies for each origin, which follows redirects. */
export const createBrowser = (hosts: Readonly<Record<string, (request: Request) => Promise<Response>>>) => {
  const cookies = new Map<string, Map<string, string>>();
  const jarOf = (origin: string): Map<string, string> => {
    const jar = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, jar);
    return jar;
  };
  const send = async (url: URL, init: RequestInit = {}): Promise<Response> => {
    const host = hosts[url.origin];
    if (host === undefined) throw new Error(`no host answers at ${url}`);
    const jar = jarOf(url.origin);
    const headers = new Headers(init.headers);
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    if (init.method === 'POST' && !headers.has('origin')) headers.set('origin', url.origin);
    const response = await host(new Request(url, { ...init, headers }));
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  const follow = async (from: URL, until: (url: URL) => boolean, init?: RequestInit) => {
    let url = from;
    let response = await send(url, init);
    for (let step = 0; step < 15; step++) {
      const location = response.headers.get('location');
      if (location === null) return { response, url };
      url = new URL(location, url);
      if (until(url)) return { response, url };
      response = await send(url);
    }
    throw new Error(`too many redirects at ${url}`);
  };
  return { send, follow, jarOf };
};

export type Browser = ReturnType<typeof createBrowser>;

export interface SignIn {
  readonly subject: string;
  readonly remember?: boolean;
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Signs in at the console as the pages of the provider do it. Returns the last response. */
export const signIn = async (
  browser: Browser,
  carnet: Pick<Carnet, 'requests'>,
  start: URL,
  { subject, remember = false, claims = {} }: SignIn,
) => {
  const isPage = (url: URL): boolean => url.origin === 'http://localhost:3000';
  let { response, url } = await browser.follow(start, isPage);
  for (let step = 0; step < 3 && isPage(url); step++) {
    const login = url.searchParams.get('login_challenge');
    const consent = url.searchParams.get('consent_challenge');
    const accept = async () => {
      if (login !== null) return carnet.requests.login.accept(login, { subject, remember, rememberFor: 3_600 });
      const { requestedScopes } = await carnet.requests.consent.get(consent ?? '');
      return carnet.requests.consent.accept(consent ?? '', {
        grantScopes: requestedScopes,
        claims: { idToken: claims },
      });
    };
    const { redirectTo } = await accept();
    ({ response, url } = await browser.follow(new URL(redirectTo), isPage));
  }
  return { response, url };
};
