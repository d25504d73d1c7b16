import { isIP } from 'node:net';

/** The address of an LDAP server. */
export interface ServerUrl {
  /** The URL as configured. It holds no credentials. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, after `startTls`, or `none`. */
  readonly security: 'tls' | 'startTls' | 'none';
}

/** A name such as `127.example.com` is a host that a resolver decides about. */
const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** @throws TypeError for a URL that is not LDAP's, has credentials, or would send passwords in clear text */
export const parseServerUrl = (url: string, startTls: boolean): ServerUrl => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['ldap:', 'ldaps:'].includes(parsed.protocol) || parsed.hostname === '')
    throw new TypeError('urls: each must be ldaps://host:port or ldap://host:port');
  if (parsed.username !== '' || parsed.password !== '') throw new TypeError('urls: use bindDn and bindPassword');
  const isTls = parsed.protocol === 'ldaps:';
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  const security = isTls ? 'tls' : startTls ? 'startTls' : 'none';
  if (security === 'none' && !isThisMachine(host))
    throw new TypeError(`urls: ${url} would send passwords in clear text; use ldaps:// or startTls: true`);
  return { url, host, port: Number(parsed.port) || (isTls ? 636 : 389), security };
};

/** The name for the check of the certificate. SNI (RFC 6066) does not take addresses. */
export const tlsName = (host: string): { readonly host: string; readonly servername?: string } =>
  isIP(host) === 0 ? { host, servername: host } : { host };
