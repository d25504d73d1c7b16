/** A browser as far as the flow is concerned: keeps cookies of one host, follows nothing by itself. */
export interface Browser {
  get(url: string): Promise<Response>;
  /** The cookies it would send, by name. */
  readonly cookies: Map<string, string>;
}

export interface FormBrowser extends Browser {
  /** Submits a form. */
  post(url: string, form: Readonly<Record<string, string>>): Promise<Response>;
}

const keep = (cookies: Map<string, string>, line: string): void => {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const name = pair.slice(0, pair.indexOf('='));
  const gone = attributes.some((attribute) => /^(?:max-age=0|expires=.* 1970 .*)$/i.test(attribute));
  if (gone) cookies.delete(name);
  else cookies.set(name, pair.slice(pair.indexOf('=') + 1));
};

export const createBrowser = (cookies = new Map<string, string>(), send: typeof fetch = fetch): FormBrowser => {
  const visit = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie ? { cookie } : {}), accept: 'text/html' };
    const response = await send(url, { ...init, redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) keep(cookies, line);
    return response;
  };
  return {
    cookies,
    get: (url) => visit(url),
    post: (url, form) => visit(url, { method: 'POST', body: new URLSearchParams(form) }),
  };
};

export const locationOf = (response: Response): URL => {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`no redirect but status ${response.status}`);
  return new URL(location);
};
