import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

/** Where browsers connect from: not the address of the proxy, which Carnet trusts. */
export const browserAddress = '127.0.0.2';

export const issuer = 'https://id.example.com';

export interface Answer {
  readonly url: URL;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends one request for id.example.com to a proxy on this machine. */
export const sendTo = (
  port: number,
  ca: string,
  url: URL,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, localAddress: browserAddress, servername: url.hostname, ca, agent: false },
        ...{ method, path: `${url.pathname}${url.search}`, headers: { Host: url.host, ...headers } },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const { statusCode = 0, headers: received } = response;
          resolve({ url, status: statusCode, headers: received, body: Buffer.concat(chunks).toString() });
        });
      },
    );
    sent.once('error', reject).end(body);
  });

const entities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#x27;': "'",
};
const unescaped = (text: string): string => text.replaceAll(/&[#\w]+;/g, (entity) => entities[entity] ?? entity);
const attribute = (tag: string, name: string): string =>
  unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

/** A browser without scripts that visits one site through a proxy, and that remembers its longest URL. */
export const createBrowser = (port: number, ca: string, extraHeaders: Readonly<Record<string, string>> = {}) => {
  const cookies = new Map<string, string>();
  let longestUrl = 0;

  const visit = async (url: URL, body?: URLSearchParams): Promise<Answer> => {
    longestUrl = Math.max(longestUrl, url.href.length);
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const answer = await sendTo(port, ca, url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...extraHeaders,
        ...(cookie && { Cookie: cookie }),
        ...(body && { 'Content-Type': 'application/x-www-form-urlencoded', Origin: issuer }),
      },
      ...(body && { body: body.toString() }),
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0|expires=.* 1970 /i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const { location } = answer.headers;
    if (location === undefined) return answer;
    const next = new URL(location, url);
    longestUrl = Math.max(longestUrl, next.href.length);
    // A redirect to the client is the end of the journey.
    return next.origin === issuer ? visit(next) : { ...answer, url: next };
  };

  return {
    longestUrl: () => longestUrl,
    get: (url: string) => visit(new URL(url, issuer)),
    /** Submits the form of the page with its hidden fields and checked boxes, and these. */
    submit: ({ url, body, status }: Answer, fields: Readonly<Record<string, string>>): Promise<Answer> => {
      const form = /<form [^>]*method="post".*?<\/form>/s.exec(body)?.[0];
      if (form === undefined) throw new Error(`${url} has no form (status ${status}): ${body.slice(0, 2_000)}`);
      const inputs = form.match(/<input [^>]*(?:type="hidden"|checked="")[^>]*>/g) ?? [];
      const present = inputs.map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')] as [string, string]);
      const data = new URLSearchParams([...present, ...Object.entries(fields)]);
      return visit(new URL(attribute(form, 'action'), url), data);
    },
  };
};
