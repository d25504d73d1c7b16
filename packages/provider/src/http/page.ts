import { hash } from 'node:crypto';
import type { HttpResponse } from './types.ts';

export interface Page {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** Where the person can go from here, such as "Start again". Only http, https and relative addresses. */
  readonly link?: { readonly href: string; readonly label: string };
  /** Web addresses to load unseen, left out if no policy can name them. Their pages can neither navigate this one nor open others. */
  readonly frames?: readonly string[];
  /** Where the browser goes by itself: when the frames have loaded, or after so many seconds. */
  readonly continueTo?: { readonly href: string; readonly seconds: number };
  /** Shown small, for the person to pass on to whoever helps them. */
  readonly requestId?: string;
}

const style = `:root{color-scheme:light dark;--page:#f3f4f1;--card:#fff;--text:#1b2421;--dim:#5a6662;--line:#d5dad6;--link:#14614c;--on-link:#fff}
@media (prefers-color-scheme:dark){:root{--page:#101513;--card:#1a211f;--text:#e9eeeb;--dim:#a1ada8;--line:#313b37;--link:#6cc7a8;--on-link:#0b1f18}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--page);color:var(--text);font:1rem/1.55 system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:2.25rem;background:var(--card);border:1px solid var(--line);border-radius:1rem}
h1{margin:0 0 .75rem;font-size:1.3rem;line-height:1.3;text-wrap:balance}
p{margin:0 0 1.25rem;overflow-wrap:anywhere}
p:last-child{margin:0}
a{display:block;padding:.6rem 1.25rem;border:1px solid transparent;border-radius:.625rem;background:var(--link);color:var(--on-link);font-weight:600;text-align:center;text-decoration:none}
a:focus-visible{outline:3px solid var(--link);outline-offset:2px}
small{color:var(--dim)}
iframe{display:none}`;

/**
 * Redirects once: when all frames have loaded, or after `data-seconds`. The seconds are an attribute, so that the hash in the
 * policy covers one constant script. Without scripts the page redirects by its `refresh`.
 */
const continueWhenLoaded = `const{seconds}=document.currentScript.dataset;let left=false;const leave=()=>{if(left)return;location.replace(document.querySelector('a').href);left=true};addEventListener('load',leave);setTimeout(leave,seconds*1000)`;

const digest = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
const styleSource = digest(style);
const scriptSource = digest(continueWhenLoaded);

/** As a browser writes it: hosts may hold more, `;` and `,` among it, which would be another directive or policy. */
const plainOrigin = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;
const isFramable = (url: string): boolean => plainOrigin.test(URL.parse(url)?.origin ?? '');

const originsOf = (urls: readonly string[]): string => [...new Set(urls.map((url) => new URL(url).origin))].join(' ');

// The page's one style sheet is allowed by its hash: whatever else found its way into the page stays without effect.
const contentSecurityPolicy = ({ frames = [], continueTo }: Page): string =>
  [
    "default-src 'none'",
    `style-src ${styleSource}`,
    ...(continueTo ? [`script-src ${scriptSource}`] : []),
    ...(frames.length > 0 ? [`frame-src ${originsOf(frames)}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in HTML, in an element or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] as string);

const isWebAddress = (href: string): boolean => {
  const url = URL.parse(href, 'https://relative.invalid');
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
};

const anchor = (href: string, label: string): string =>
  `<p><a href="${escapeHtml(href)}" rel="noreferrer">${escapeHtml(label)}</a></p>`;

const head = ({ title, continueTo }: Page): string =>
  [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">',
    // A refresh beside the script would redirect again while the first response is still under way.
    continueTo
      ? `<noscript><meta http-equiv="refresh" content="${continueTo.seconds}; url=${escapeHtml(continueTo.href)}"></noscript>`
      : '',
    `<title>${escapeHtml(title)}</title><style>${style}</style>`,
    continueTo ? `<script data-seconds="${continueTo.seconds}">${continueWhenLoaded}</script>` : '',
  ].join('');

const frameOf = (src: string): string =>
  `<iframe src="${escapeHtml(src)}" sandbox="allow-scripts allow-same-origin" title="" aria-hidden="true"></iframe>`;

/** A page for a person: nothing loaded but its frames, nothing sent on, everything escaped. */
export const renderPage = (page: Page): HttpResponse => {
  const { status, title, message, link, continueTo, requestId } = page;
  // The one step that keeps what clients register out of the policy's grammar.
  const frames = page.frames?.filter(isFramable) ?? [];
  const parts = [`<h1>${escapeHtml(title)}</h1>`, `<p>${escapeHtml(message)}</p>`];
  if (continueTo !== undefined) parts.push(anchor(continueTo.href, 'Continue'));
  if (link !== undefined && isWebAddress(link.href)) parts.push(anchor(link.href, link.label));
  if (requestId !== undefined) parts.push(`<p><small>Request ${escapeHtml(requestId)}</small></p>`);
  const body = `<main>${parts.join('')}</main>${frames.map(frameOf).join('')}`;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy({ ...page, frames }),
    },
    body: `<!doctype html><html lang="en"><head>${head(page)}</head><body>${body}</body></html>`,
  };
};
