import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { createNetworkList } from '../text/network.ts';
import type { HttpConfig } from './config.ts';
import { onlyHeader } from './host.ts';

/** The certificate of the TLS client, which has proven possession of its key. */
export interface ClientCertificate {
  readonly certificate: X509Certificate;
  /** Whether the end of the TLS connection has verified it with a trusted authority. */
  readonly isVerified: boolean;
}

/** The maximum length of the header with a certificate. */
const maxLength = 16_384;

const fromPem = (text: string): X509Certificate | undefined => {
  const certificates = text.match(/-----BEGIN CERTIFICATE-----/g) ?? [];
  return certificates.length === 1 ? new X509Certificate(text) : undefined;
};

/** The formats, recognized by their values. Only a trusted proxy may send such a header. */
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
    // Not a certificate: treated as none.
  }
  return undefined;
};

const fromSocket = ({ socket }: IncomingMessage): ClientCertificate | undefined => {
  const { getPeerX509Certificate, authorized } = socket as Partial<TLSSocket>;
  const certificate = getPeerX509Certificate?.call(socket);
  return certificate && { certificate, isVerified: authorized === true };
};

export type ReadClientCertificate = (request: IncomingMessage) => ClientCertificate | undefined;

/**
 * Reads the client certificate of a request (RFC 8705). The headers are accepted only on a connection from the address of a
 * trusted proxy. On any other connection they are removed from the request, so that the host application does not accept
 * them either.
 */
export const createClientCertificates = (options: Omit<HttpConfig, 'allowedHosts'>): ReadClientCertificate => {
  const header = options.clientCertificateHeader?.toLowerCase();
  if (header === undefined) return fromSocket;
  const verifiedHeader = options.clientVerifiedHeader?.toLowerCase();
  const isTrusted = createNetworkList(options.trustedProxies);
  const read = new WeakMap<IncomingMessage, ClientCertificate | undefined>();

  const fromProxy: ReadClientCertificate = (request) => {
    if (!isTrusted(request.socket.remoteAddress ?? '')) {
      for (const name of [header, verifiedHeader]) if (name !== undefined) delete request.headers[name];
      return undefined;
    }
    const certificate = parse(onlyHeader(request, header) ?? '');
    const isVerified = verifiedHeader !== undefined && onlyHeader(request, verifiedHeader) === 'SUCCESS';
    return certificate && { certificate, isVerified };
  };

  return (request) => {
    if (!read.has(request)) read.set(request, fromProxy(request));
    return read.get(request);
  };
};
