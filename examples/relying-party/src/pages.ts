import type { Session } from './sessions.ts';

const style = `
:root{color-scheme:light dark;--paper:#fff;--ground:#f3f4f1;--ink:#1b2421;--quiet:#5a6662;--line:#d5dad6;--edge:#87928d;--brand:#14614c;--on-brand:#fff}
@media(prefers-color-scheme:dark){:root{--paper:#1a211f;--ground:#101513;--ink:#e9eeeb;--quiet:#a1ada8;--line:#313b37;--edge:#6d7a75;--brand:#6cc7a8;--on-brand:#0b1f18}}
*{box-sizing:border-box}html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:2rem 1rem;background:var(--ground);color:var(--ink)}
main{width:100%;max-width:44rem;padding:2.25rem;background:var(--paper);border:1px solid var(--line);border-radius:1rem;box-shadow:0 12px 32px -12px rgb(0 0 0/.12)}
main.narrow{max-width:26rem}h1{margin:0;font-size:1.5rem;line-height:1.25;letter-spacing:-.015em}h2{margin:2rem 0 .25rem;font-size:1rem}
p{margin:.5rem 0 0;color:var(--quiet)}code,th,td{overflow-wrap:anywhere}code,td{font:.875rem/1.5 ui-monospace,Menlo,Consolas,"Liberation Mono",monospace}
table{width:100%;border-collapse:collapse;table-layout:fixed}th,td{padding:.4rem 0;text-align:left;vertical-align:top;border-top:1px solid var(--line)}th{width:11.5rem;font-weight:500;font-size:.875rem;color:var(--quiet)}
nav{display:flex;flex-wrap:wrap;gap:.625rem;margin-top:1.75rem}nav form,nav .button{flex:1 1 10rem}
button,.button{display:flex;width:100%;min-height:2.875rem;align-items:center;justify-content:center;padding:.5rem 1.25rem;font:inherit;font-weight:600;text-decoration:none;border:1px solid transparent;border-radius:.625rem;background:var(--brand);color:var(--on-brand);cursor:pointer}
.plain{background:none;color:var(--ink);border-color:var(--edge)}:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
@media(max-width:34rem){main{padding:1.5rem 1.25rem}th{width:9.75rem}}`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

const page = (title: string, body: string, width = ''): string => {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>`;
  return `<!doctype html><html lang="en"><head>${head}<style>${style}</style></head><body><main class="${width}"><h1>${escaped(title)}</h1>${body}</main></body></html>`;
};

const table = (id: string, rows: Readonly<Record<string, unknown>>): string => {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  const lines = Object.entries(rows).map(
    ([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(text(value))}</td></tr>`,
  );
  return `<table id="${id}">${lines.join('')}</table>`;
};

export const signedOutPage = (issuer: string): string => {
  const text = `<p>An application that keeps no passwords: it asks <code>${escaped(issuer)}</code> who you are.</p>`;
  return page('Carnet demo', `${text}<nav><a class="button" id="sign-in" href="/login">Sign in</a></nav>`, 'narrow');
};

/** Who is signed in; `userInfo` is a text if it could not be had. */
export const signedInPage = (
  login: NonNullable<Session['login']>,
  userInfo: Readonly<Record<string, unknown>> | string,
): string => {
  const { claims, tokens, refreshes } = login;
  const name = typeof claims.name === 'string' ? claims.name : claims.sub;
  const held = {
    scope: tokens.scope ?? '',
    // By their ends: they all begin alike.
    'access token': `…${tokens.access_token.slice(-8)} (${tokens.expires_in ?? '?'} s)`,
    'refresh token': tokens.refresh_token ? `…${tokens.refresh_token.slice(-8)}` : 'none',
    refreshes,
  };
  return page(
    `Hello, ${name}`,
    `<p>You are signed in.</p>
<nav><form method="post" action="/refresh"><button id="refresh">Refresh tokens</button></form>
<form method="post" action="/logout"><button id="sign-out" class="plain">Sign out</button></form></nav>
<h2>ID token</h2>${table('id-token', claims)}
<h2>UserInfo</h2>${typeof userInfo === 'string' ? `<p>${escaped(userInfo)}</p>` : table('userinfo', userInfo)}
<h2>Tokens</h2>${table('tokens', held)}`,
  );
};

export const errorPage = (error: string, description: string): string => {
  const title = error === 'access_denied' ? 'You were not signed in' : 'Sign-in did not work';
  const again =
    '<nav><a class="button" id="try-again" href="/login">Try again</a><a class="button plain" href="/">Home</a></nav>';
  return page(
    title,
    `<p id="error-description">${escaped(description)}</p><p><code id="error">${escaped(error)}</code></p>${again}`,
    'narrow',
  );
};
