// Signs a user in as a browser does: follows redirects, keeps cookies, submits the form of each page.
const [, , start, login, password] = process.argv;
const cookies = new Map();

const visit = async (url, body) => {
  const { origin } = new URL(url);
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    body,
    redirect: 'manual',
    headers: { cookie, origin },
  });
  for (const text of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    cookies.set(name, value);
  }
  const location = response.headers.get('location');
  return location ? visit(new URL(location, url).href) : { url, text: await response.text() };
};

const attribute = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&amp;', '&');

/** The form of the page with the password or the decision, filled in. */
const submit = ({ url, text }) => {
  const forms = text.match(/<form[\s\S]*?<\/form>/g) ?? [];
  const form = forms.find((each) => /name="(?:password|grant_scope)"|consent/.test(each)) ?? forms[0] ?? '';
  const body = new URLSearchParams();
  for (const tag of form.match(/<input[^>]*>/g) ?? []) {
    const name = attribute(tag, 'name');
    const isLeftOut = attribute(tag, 'type') === 'checkbox' && !tag.includes('checked');
    if (name === undefined || isLeftOut) continue;
    const given = { email: login, username: login, login, password }[name];
    body.append(name, given ?? attribute(tag, 'value') ?? '');
  }
  const button = /<button[^>]*>/.exec(form)?.[0] ?? '';
  if (attribute(button, 'name')) body.append(attribute(button, 'name'), attribute(button, 'value') ?? '');
  return visit(new URL(attribute(form.slice(0, form.indexOf('>') + 1), 'action') ?? url, url).href, body);
};

let page = await visit(start);
for (let pages = 0; pages < 4 && !page.url.startsWith('http://127.0.0.1'); pages++) page = await submit(page);
if (!page.url.startsWith('http://127.0.0.1')) throw new Error(`the sign-in ended at ${page.url}:\n${page.text}`);
