/** A form of a page: where it leads, and its fields. */
interface Form {
  readonly action: string;
  readonly fields: URLSearchParams;
}

const entities: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', '#x27': "'" };
const unescaped = (text: string): string => text.replaceAll(/&([#\w]+);/g, (entity, name) => entities[name] ?? entity);
const attribute = (tag: string, name: string): string =>
  unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

/** The form of a page with a field of this name, as the page fills it in. */
const formWith = (html: string, field: string): Form => {
  const forms = html.match(/<form [^>]*method="post".*?<\/form>/gs) ?? [];
  const form = forms.find((each) => each.includes(` name="${field}"`));
  if (form === undefined) throw new Error(`the page has no form with ${field}: ${html.replaceAll(/<[^>]+>/g, ' ')}`);
  const inputs = form.match(/<(?:input|button)[^>]* name="[^>]*>/g) ?? [];
  const hidden = inputs.filter((tag) => attribute(tag, 'type') === 'hidden');
  const fields = new URLSearchParams(hidden.map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')]));
  return { action: attribute(form, 'action'), fields };
};

export interface SignedIn {
  readonly url: string;
  readonly html: string;
}

/**
 * Signs a user in at the bundled pages, as a browser without JavaScript does. Cookies are those of one host.
 *
 * @param url the page that redirects to the sign-in
 * @returns the page after the sign-in
 */
export const signInAtPages = async (url: string, login: string, password: string): Promise<SignedIn> => {
  const cookies = new Map<string, string>();
  const visit = async (target: string, body?: URLSearchParams): Promise<SignedIn> => {
    const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; '), accept: 'text/html' };
    const response = await fetch(target, { method: body ? 'POST' : 'GET', body, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    if (location !== null) return visit(new URL(location, target).href);
    return { url: target, html: await response.text() };
  };
  const page = await visit(url);
  const { action, fields } = formWith(page.html, 'password');
  for (const [name, value] of Object.entries({ email: login, password, decision: 'accept' })) fields.set(name, value);
  return visit(new URL(action || page.url, page.url).href, fields);
};
