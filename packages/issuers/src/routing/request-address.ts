import type { IncomingMessage } from 'node:http';

/** The host and the path of a request. They only select the issuer, which checks the host itself. */
export interface RequestAddress {
  /** In lower case, with its port unless that is the default one; empty if there is none. */
  readonly host: string;
  /** Without the query. */
  readonly path: string;
}

const defaultPort = /:(?:80|443)$/;

export const hostIn = (text: string | null | undefined): string => (text ?? '').toLowerCase().replace(defaultPort, '');

const absolute = /^https?:\/\/[^/?#]*/i;

/** The path of a request target, also of one in the absolute form (RFC 9112, section 3.2.2). */
const pathIn = (target: string): string => target.replace(absolute, '').split('?', 1)[0] || '/';

/** The host application may have removed a part of the path, and keeps the complete one in `originalUrl`. */
export const addressOf = (request: IncomingMessage): RequestAddress => {
  const { originalUrl } = request as IncomingMessage & { originalUrl?: string };
  return { host: hostIn(request.headers.host), path: pathIn(originalUrl ?? request.url ?? '/') };
};

/** The same of a Web Request. */
export const webAddressOf = (request: Request): RequestAddress => {
  const { host, pathname } = new URL(request.url);
  return { host: hostIn(request.headers.get('host') ?? host), path: pathname };
};
