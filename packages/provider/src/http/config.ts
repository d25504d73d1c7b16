import { networksSchema, section } from '@carnet/adapter-contract/settings';
import { z } from 'zod';

/** Values of the `Host` header: a name, with a port if it is not the scheme's own, or with `:*` for any. */
export const allowedHostsSchema = z
  .array(
    z
      .string()
      .regex(
        /^(?:[\w.-]+|\[[\da-f:.]+\])(?::(?:\d{1,5}|\*))?$/i,
        'must be host names, each with its port if it has one',
      ),
    { error: 'must be a list of host names' },
  )
  .default([]);

const headerName = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header, without underscores');

export const httpSchema = section({
  trustedProxies: networksSchema
    .default([])
    .describe(
      'Addresses and networks (`10.0.0.0/8`) of trusted proxies. Carnet accepts client certificates and `X-Forwarded-For` from these only.',
    ),
  clientCertificateHeader: headerName
    .optional()
    .describe(
      'The header in which a trusted proxy forwards the client certificate: in the form of `Client-Cert` (RFC 9440), of `X-Forwarded-Client-Cert` (Envoy) or of `$ssl_client_escaped_cert` (nginx). By default, Carnet uses the certificate of the TLS connection.',
    ),
  clientVerifiedHeader: headerName
    .optional()
    .describe(
      'The header in which a trusted proxy sends `SUCCESS` if it verified the certificate (`$ssl_client_verify` of nginx). The client authentication method `tls_client_auth` requires it.',
    ),
  allowedHosts: allowedHostsSchema.describe(
    "Values of the Host header that the public listener accepts besides the issuer's.",
  ),
});

export type HttpConfig = z.output<typeof httpSchema>;
