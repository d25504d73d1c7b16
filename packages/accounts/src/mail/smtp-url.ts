import { readFileSync } from 'node:fs';
import { isLoopbackHost } from '@carnet/adapter-contract/kit';

/** An SMTP server, as its URL names it. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte (`smtps`). `starttls`: required. `none`: by `?tls=none`, or on loopback. */
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
  /** The PEM text of a private certificate authority. */
  readonly ca: string | undefined;
}

/** The message never quotes the URL, because it may hold a password. */
const refuse = (message: string): never => {
  throw new TypeError(`The mail URL cannot be used: ${message}`);
};

const parseUrl = (url: string): URL => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '')
    return refuse('it must be like smtp://user:password@host:587 or smtps://user:password@host:465.');
  const unknown = [...parsed.searchParams.keys()].find((name) => name !== 'tls' && name !== 'ca');
  if (unknown !== undefined) refuse('its only parameters are tls and ca.');
  if (!/^\/?$/.test(parsed.pathname) || parsed.hash !== '') refuse('special characters must be percent-encoded.');
  return parsed;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('the user or the password is not percent-encoded: write % as %25.');
  }
};

const readCa = (file: string | null): string | undefined => {
  if (file === null) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return refuse(`the file of the parameter ca cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
};

const tlsOf = ({ protocol, searchParams }: URL, host: string): SmtpServer['tls'] => {
  const asked = searchParams.get('tls');
  if (asked !== null && asked !== 'none' && asked !== 'required') refuse('the parameter tls must be required or none.');
  if (protocol === 'smtps:') return asked === 'none' ? refuse('smtps always uses TLS: remove tls=none.') : 'implicit';
  // Without the parameter, TLS is never left out on the way to another machine.
  return asked === 'none' || (asked === null && isLoopbackHost(host)) ? 'none' : 'starttls';
};

/**
 * Reads `smtp://user:password@host:port` (STARTTLS is required) or `smtps://...` (TLS). Parameters: `tls=none` for a relay
 * without TLS, `ca=<file>` for a private certificate authority.
 *
 * @throws TypeError if the URL cannot be used
 */
export const parseSmtpUrl = (url: string): SmtpServer => {
  const parsed = parseUrl(url);
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  const tls = tlsOf(parsed, host);
  const user = decoded(parsed.username);
  if (user !== '' && tls === 'none' && !isLoopbackHost(host))
    refuse('a password is not sent without TLS: remove tls=none.');
  return {
    host,
    port: Number(parsed.port) || (tls === 'implicit' ? 465 : 587),
    tls,
    auth: user === '' ? undefined : { user, pass: decoded(parsed.password) },
    ca: readCa(parsed.searchParams.get('ca')),
  };
};
