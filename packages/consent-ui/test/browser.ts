import { formTokenField } from '../src/csrf/form-token.ts';
import { routeOf } from '../src/routes.ts';
import type { Services } from '../src/services.ts';
import { origin } from './services.ts';

export interface OpenedPage {
  readonly status: number;
  readonly html: string;
  readonly url: string;
  /** The text of the first heading. */
  readonly title: string;
  /** The redirect target outside of the pages. */
  readonly location: string | undefined;
}

export interface TestBrowser {
  get(url: string): Promise<OpenedPage>;
  /** Submits the form of the page that contains this text: its hidden fields, and these. */
  submit(page: OpenedPage, fields: Readonly<Record<string, string>>, marker?: string): Promise<OpenedPage>;
  cookies: Map<string, string>;
}

const entities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#x27;': "'",
};
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:quot|amp|lt|gt|#x27);/g, (entity) => entities[entity] ?? '');
const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
};

const formIn = (html: string, marker: string): string => {
  const forms = html.match(/<form [^>]*method="post".*?<\/form>/gs) ?? [];
  const found = forms.find((form) => form.includes(marker));
  if (found === undefined) throw new Error(`the page has no form with ${marker}`);
  return found;
};

/** A browser without JavaScript, whose requests reach the handlers directly. */
export const createBrowser = (services: Services): TestBrowser => {
  const cookies = new Map<string, string>();
  const send = async (url: URL, body?: URLSearchParams): Promise<OpenedPage> => {
    const route = routeOf(url.pathname);
    if (url.origin !== origin || route === undefined) {
      return { status: 0, html: '', url: url.href, title: '', location: url.href };
    }
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const [show, submit = show] = route;
    const init = body === undefined ? { headers } : { method: 'POST', headers, body };
    const response = await (body === undefined ? show : submit)(services, new Request(url, init));
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) return send(new URL(location, url));
    const html = await response.text();
    const title = unescaped((/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '').replaceAll(/<[^>]+>/g, ''));
    return { status: response.status, html, url: url.href, title, location: undefined };
  };
  return {
    cookies,
    get: (url) => send(new URL(url, origin)),
    submit: (page, fields, marker = formTokenField) => {
      const form = formIn(page.html, marker);
      const hidden = (form.match(/<input type="hidden"[^>]*>/g) ?? []).map(
        (tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? ''] as const,
      );
      const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
      return send(new URL(attribute(form, 'action') ?? '', page.url), body);
    },
  };
};

/** The value of the element with this id. */
export const textOf = (page: OpenedPage, id: string): string =>
  unescaped(new RegExp(` id="${id}"[^>]*>([^<]*)<`).exec(page.html)?.[1] ?? '');
