import type { IncomingMessage } from 'node:http';
import { CarnetError } from '../errors.ts';
import { type CompleteResponse, completeResponse, renderError, securityHeaders } from './response.ts';

const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}|\*))?$/;
const defaultPorts = ['', ':80', ':443'];

/** The value of a header that a request has exactly once. If it has it twice, the client may have sent one of them. */
export const onlyHeader = ({ rawHeaders }: IncomingMessage, lowerCaseName: string): string | undefined => {
  let found: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== lowerCaseName.length || name.toLowerCase() !== lowerCaseName) continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[i + 1];
  }
  return found;
};

/** The authority of an absolute-form request target (RFC 9112 section 3.2.2); `undefined` for the usual `/path`. */
const targetAuthority = (target: string): string | undefined =>
  target.startsWith('/') || target === '*' ? undefined : (/^https?:\/\/([^/?#]*)/i.exec(target)?.[1] ?? '');

/**
 * Whether a request is for this server: it has exactly one Host header, which is one of `allowed`. If the request
 * target has a host, that is one of them, too. The check defeats a foreign site whose name resolves to this server (DNS
 * rebinding).
 *
 * @param allowed such as `id.example.com` (any default port), `localhost:4445`, `[::1]:4445`, `127.0.0.1:*` (any port)
 */
export const hostAllowed = (allowed: readonly string[]): ((request: IncomingMessage) => boolean) => {
  const known = new Set<string>();
  const withAnyPort = new Set<string>();
  for (const entry of allowed) {
    const [, host, port] = hostPattern.exec(entry.toLowerCase()) ?? [];
    if (host === undefined) throw new TypeError(`"${entry}" is not a host name with an optional port`);
    const suffix = port === undefined ? '' : `:${port}`;
    if (port === '*') withAnyPort.add(host);
    else for (const one of defaultPorts.includes(suffix) ? defaultPorts : [suffix]) known.add(host + one);
  }
  const isKnown = (text: string): boolean => {
    const host = text.toLowerCase();
    return known.has(host) || withAnyPort.has(host.replace(/:\d{1,5}$/, ''));
  };
  return (request) => {
    const host = onlyHeader(request, 'host');
    if (host === undefined || !isKnown(host)) return false;
    const authority = targetAuthority(request.url ?? '/');
    return authority === undefined || isKnown(authority);
  };
};

/** The answer to a request for another host: 421 (RFC 9110, section 15.5.20), as JSON. */
export const misdirected: CompleteResponse = completeResponse(
  renderError(new CarnetError('misdirected_request', 'This server does not answer for the host of the request.'), ''),
  securityHeaders,
);
