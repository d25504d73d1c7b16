import { hash } from 'node:crypto';
import { escapeHtml } from '@carnet/adapter-contract/kit';
import type { HttpResponse } from './types.ts';

export interface Page {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** A link for the user, such as "Start again". Only http, https and relative URLs. */
  readonly link?: { readonly href: string; readonly label: string };
  /**
   * URLs to load in hidden frames. A URL that the policy cannot express is omitted. The frames cannot navigate this
   * page or open windows.
   */
  readonly frames?: readonly string[];
  /** The URL to which the page redirects when the frames have loaded, or after some seconds. */
  readonly continueTo?: { readonly href: string; readonly seconds: number };
  /** Shown on the page. The user can quote it to the support. */
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
 * Redirects once: when all frames have loaded, or after `data-seconds`. The seconds are an attribute, so that the hash
 * in the policy covers one constant script. Without scripts the page redirects by its `refresh`.
 */
const continueWhenLoaded = `const{seconds}=document.currentScript.dataset;let left=false;const leave=()=>{if(left)return;location.replace(document.querySelector('a').href);left=true};addEventListener('load',leave);setTimeout(leave,seconds*1000)`;

const digest = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
const styleSource = digest(style);
const scriptSource = digest(continueWhenLoaded);

/**
 * An origin without special characters. Hosts may contain `;` and `,`, which would begin another directive or policy.
 */
const plainOrigin = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;
const isFramable = (url: string): boolean => plainOrigin.test(URL.parse(url)?.origin ?? '');

const originsOf = (urls: readonly string[]): string => [...new Set(urls.map((url) => new URL(url).origin))].join(' ');

// The only style sheet is allowed by its hash, so that injected styles have no effect.
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

const isWebAddress = (href: string): boolean =>
  /^https?:$/.test(URL.parse(href, 'https://relative.invalid')?.protocol ?? '');

const anchor = (href: string, label: string): string =>
  `<p><a href="${escapeHtml(href)}" rel="noreferrer">${escapeHtml(label)}</a></p>`;

const head = ({ title, continueTo }: Page): string =>
  [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><meta name="robots" content="noindex">',
    // A refresh in addition to the script would redirect again while the first redirect is in progress.
    continueTo
      ? `<noscript><meta http-equiv="refresh" content="${continueTo.seconds}; url=${escapeHtml(continueTo.href)}"></noscript>`
      : '',
    `<title>${escapeHtml(title)}</title><style>${style}</style>`,
    continueTo ? `<script data-seconds="${continueTo.seconds}">${continueWhenLoaded}</script>` : '',
  ].join('');

const frameOf = (src: string): string =>
  `<iframe src="${escapeHtml(src)}" sandbox="allow-scripts allow-same-origin" title="" aria-hidden="true"></iframe>`;

/** A page for users. It loads nothing but its frames, sends no referrer, and escapes all text. */
export const renderPage = (page: Page): HttpResponse => {
  const { status, title, message, link, continueTo, requestId } = page;
  // The one step that prevents URLs of clients from changing the policy.
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
