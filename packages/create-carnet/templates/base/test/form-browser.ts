/** A page that the browser shows. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

/** The fields that a user fills or ticks, by name. */
type Fields = Readonly<Record<string, string | true>>;

/** As much of a browser as forms need: it keeps cookies and follows redirects. */
export interface FormBrowser {
  open(url: string): Promise<Page>;
  /** Follows the link to a path. */
  click(page: Page, path: string): Promise<Page>;
  /** Fills the first form that has these fields, ticks those that are `true`, and presses the first button. */
  submit(page: Page, fields: Fields): Promise<Page>;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}(?:="([^"]*)")?[\\s/>]`, 'i').exec(tag);
  return value === null ? undefined : unescaped(value[1] ?? '');
};

/** The fields that a browser sends: hidden ones, ticked boxes, the first button, and those that the user fills or ticks. */
const fieldsOf = (form: string, filled: Fields): URLSearchParams => {
  const sent = new URLSearchParams();
  for (const tag of form.match(/<input[^>]*>|<button[^>]*>/gi) ?? []) {
    const [name = '', type, value = 'on'] = ['name', 'type', 'value'].map((each) => attribute(tag, each));
    const isButton = /^<button/i.test(tag) && !sent.has(name);
    const isTicked = attribute(tag, 'checked') !== undefined && attribute(tag, 'disabled') === undefined;
    const fill = filled[name];
    if (typeof fill === 'string') sent.set(name, fill);
    else if (name !== '' && (fill || type === 'hidden' || isTicked || isButton)) sent.append(name, value);
  }
  return sent;
};

export const createFormBrowser = (): FormBrowser => {
  const cookies = new Map<string, string>();

  const keep = (line: string): void => {
    const [pair = ''] = line.split(';');
    cookies.set(pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1));
  };

  const visit = async (url: string, body?: URLSearchParams): Promise<Page> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, accept: 'text/html', origin: new URL(url).origin };
    const response = await fetch(url, { method: body ? 'POST' : 'GET', body, headers, redirect: 'manual' });
    response.headers.getSetCookie().forEach(keep);
    const location = response.headers.get('location');
    if (location === null) return { url, status: response.status, text: await response.text() };
    await response.body?.cancel();
    return visit(new URL(location, url).href);
  };

  return {
    open: (url) => visit(url),
    click: (page, path) => {
      const links = (page.text.match(/<a [^>]*>/gi) ?? []).map((tag) => attribute(tag, 'href'));
      const link = links.find((href) => href === path);
      if (link === undefined) throw new Error(`There is no link to ${path} on ${page.url}, but: ${links.join(' ')}`);
      return visit(new URL(link, page.url).href);
    },
    submit: (page, fields) => {
      const forms = page.text.match(/<form[\s\S]*?<\/form>/gi) ?? [];
      const form = forms.find((each) => Object.keys(fields).every((name) => each.includes(`name="${name}"`)));
      if (form === undefined) throw new Error(`There is no such form on ${page.url} (${page.status}):\n${page.text}`);
      const tag = /<form[^>]*>/i.exec(form)?.[0] ?? '';
      const action = new URL(attribute(tag, 'action') || page.url, page.url).href;
      return visit(action, fieldsOf(form, fields));
    },
  };
};
