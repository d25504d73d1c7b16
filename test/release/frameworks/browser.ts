/** A page that a browser shows: no redirect. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Follows redirects and submits forms as a browser without scripts does. It keeps the cookies of one host. */
export interface Browser {
  open(url: string): Promise<Page>;
  /** Submits the form of a page with the values that a user enters, by the button with the given text. */
  submit(page: Page, values: Readonly<Record<string, string>>, button: string): Promise<Page>;
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');

const textOf = (html: string): string => html.replaceAll(/<!--.*?-->|<[^>]+>/g, '').trim();

interface Form {
  readonly action: string;
  readonly values: URLSearchParams;
}

/** The form of a page, filled in. Throws if it has no field or no button of that name. */
const fill = (page: Page, values: Readonly<Record<string, string>>, button: string): Form => {
  const [, tag = '', content = ''] = /(<form[^>]*>)(.*?)<\/form>/s.exec(page.text) ?? [];
  if (attribute(tag, 'method')?.toLowerCase() !== 'post') throw new Error(`no form at ${page.url}:\n${page.text}`);
  const filled = new URLSearchParams();
  for (const [input] of content.matchAll(/<input[^>]*>/g)) {
    const name = attribute(input, 'name');
    const isUnchecked = attribute(input, 'type') === 'checkbox' && !/\schecked\b/.test(input);
    const isSent = !isUnchecked && !/\sdisabled\b/.test(input);
    if (name !== undefined && isSent) filled.append(name, attribute(input, 'value') ?? '');
  }
  for (const [name, value] of Object.entries(values)) {
    if (!filled.has(name)) throw new Error(`the form at ${page.url} has no field ${name}`);
    filled.set(name, value);
  }
  const pressed = [...content.matchAll(/(<button[^>]*>)(.*?)<\/button>/gs)].find(
    ([, , text = '']) => textOf(text) === button,
  );
  if (pressed === undefined) throw new Error(`the form at ${page.url} has no button "${button}"`);
  const name = attribute(pressed[1] ?? '', 'name');
  if (name !== undefined) filled.set(name, attribute(pressed[1] ?? '', 'value') ?? '');
  return { action: new URL(attribute(tag, 'action') ?? page.url, page.url).href, values: filled };
};

/** @param end the URL at which the browser stops: it is outside of the program */
export const createBrowser = (end: string): Browser => {
  const cookies = new Map<string, string>();

  const keep = (line: string): void => {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name = '', ...value] = pair.split('=');
    if (attributes.some((each) => /^(?:max-age=0|expires=.* 1970 .*)$/i.test(each))) cookies.delete(name);
    else cookies.set(name, value.join('='));
  };

  const visit = async (url: string, init: RequestInit = {}): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', ...(cookie ? { cookie } : {}), ...init.headers };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) keep(line);
    const location = response.headers.get('location');
    const text = await response.text();
    if (location === null) return { url, status: response.status, headers: response.headers, text };
    const next = new URL(location, url).href;
    // 302 and 303 both make a browser send GET.
    if (next.startsWith(end)) return { url: next, status: response.status, headers: response.headers, text };
    return visit(next);
  };

  return {
    open: (url) => visit(url),
    submit: (page, values, button) => {
      const form = fill(page, values, button);
      // A browser sends the origin of the page with a form.
      return visit(form.action, { method: 'POST', body: form.values, headers: { origin: new URL(page.url).origin } });
    },
  };
};
