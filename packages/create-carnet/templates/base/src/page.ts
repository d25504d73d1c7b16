/** A response that does not depend on the web framework. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Text that is already HTML. */
export interface Html {
  readonly html: string;
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

type Value = string | Html | readonly Html[];

const insert = (value: Value): string => {
  if (typeof value === 'string') return escaped(value);
  return 'html' in value ? value.html : value.map(({ html }) => html).join('');
};

/** Escapes every text that it inserts. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: String.raw({ raw: parts }, ...values.map(insert)),
});

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
  label { display: block; margin: 0.75rem 0; }
  input:not([type=checkbox]) { display: block; box-sizing: border-box; width: 100%; padding: 0.5rem; font: inherit; }
  button, .button { display: inline-block; padding: 0.5rem 1.25rem; font: inherit; color: #fff; background: #14614c;
    border: 0; border-radius: 0.4rem; text-decoration: none; cursor: pointer; }
  [role=alert] { color: light-dark(#a11, #f99); }
  th { padding-right: 1rem; text-align: left; font-weight: 500; }
  td { overflow-wrap: anywhere; }`;

/** A page with a heading. No other site may frame it and trick the user into a click; no cache or Referer keeps a challenge. */
export const page = (title: string, content: Html, status = 200): Reply => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  body: html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: style }}</style>
<h1>${title}</h1>
${content}
</html>
`.html,
});

export const redirect = (location: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', ...headers },
  body: '',
});
