import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { trustedProxies } from './trusted-proxies.ts';

/** The certificate that the other end of the TLS connection has proven to hold the key of. */
export interface ClientCertificate {
  readonly certificate: X509Certificate;
  /** Whoever ended TLS has found it to come from an authority that it trusts. */
  readonly isVerified: boolean;
}

export interface ClientCertificateOptions {
  /** The header in which a proxy hands on the certificate. Without it, TLS ends in this process. */
  readonly clientCertificateHeader?: string;
  /** The header in which it says `SUCCESS` when it has verified the certificate's chain. */
  readonly clientVerifiedHeader?: string;
  readonly trustedProxies: readonly string[];
}

/** What is sent for a certificate is at most this long. */
const maxLength = 16_384;

const fromPem = (text: string): X509Certificate | undefined => {
  const certificates = text.match(/-----BEGIN CERTIFICATE-----/g) ?? [];
  return certificates.length === 1 ? new X509Certificate(text) : undefined;
};

/** Each format by what its values look like: a proxy writes one of them, and nobody else may write any. */
const formats: readonly { readonly pattern: RegExp; readonly read: (match: string) => X509Certificate | undefined }[] =
  [
    // RFC 9440, section 2.1: `:<base64 of DER>:`, a byte sequence of RFC 8941.
    { pattern: /^:([A-Za-z0-9+/]+={0,2}):$/, read: (text) => new X509Certificate(Buffer.from(text, 'base64')) },
    // Envoy's X-Forwarded-Client-Cert, of one hop: a comma between elements would be a second certificate.
    {
      pattern:
        /^(?:(?!Cert=)[A-Za-z]+=(?:"(?:[^"\\]|\\.)*"|[^",;]*);)*Cert="([^",;\\]+)"(?:;(?!Cert=)[A-Za-z]+=(?:"(?:[^"\\]|\\.)*"|[^",;]*))*$/,
      read: (text) => fromPem(decodeURIComponent(text)),
    },
    // nginx's $ssl_client_escaped_cert.
    { pattern: /^(-----BEGIN%20CERTIFICATE-----[^,\s]+)$/, read: (text) => fromPem(decodeURIComponent(text)) },
  ];

const parse = (value: string): X509Certificate | undefined => {
  if (value.length > maxLength) return undefined;
  try {
    for (const { pattern, read } of formats) {
      const text = pattern.exec(value)?.[1];
      if (text !== undefined) return read(text);
    }
  } catch {
    // Not a certificate: as good as none.
  }
  return undefined;
};

/** The value of a header that is there exactly once, however it is written. Of two, one would be the client's own. */
const only = ({ rawHeaders }: IncomingMessage, name: string): string | undefined => {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
  return values.length === 1 ? values[0] : undefined;
};

const fromSocket = ({ socket }: IncomingMessage): ClientCertificate | undefined => {
  const { getPeerX509Certificate, authorized } = socket as Partial<TLSSocket>;
  const certificate = getPeerX509Certificate?.call(socket);
  return certificate && { certificate, isVerified: authorized === true };
};

export type ReadClientCertificate = (request: IncomingMessage) => ClientCertificate | undefined;

/**
 * Reads a request's client certificate (RFC 8705). A header counts only on a connection that comes from a trusted proxy;
 * on any other it is taken off the request, so that nobody behind us believes it either.
 */
export const createClientCertificates = (options: ClientCertificateOptions): ReadClientCertificate => {
  const header = options.clientCertificateHeader?.toLowerCase();
  if (header === undefined) return fromSocket;
  const verifiedHeader = options.clientVerifiedHeader?.toLowerCase();
  const isTrusted = trustedProxies(options.trustedProxies);
  const read = new WeakMap<IncomingMessage, ClientCertificate | undefined>();

  const fromProxy: ReadClientCertificate = (request) => {
    if (!isTrusted(request)) {
      for (const name of [header, verifiedHeader]) if (name !== undefined) delete request.headers[name];
      return undefined;
    }
    const certificate = parse(only(request, header) ?? '');
    const isVerified = verifiedHeader !== undefined && only(request, verifiedHeader) === 'SUCCESS';
    return certificate && { certificate, isVerified };
  };

  return (request) => {
    if (!read.has(request)) read.set(request, fromProxy(request));
    return read.get(request);
  };
};
