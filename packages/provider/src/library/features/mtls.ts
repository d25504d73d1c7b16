import type { IncomingMessage } from 'node:http';
import { subjectMatches } from '../../clients/certificate-subject.ts';
import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import { mtlsAliases } from '../client-endpoints.ts';
import type { Feature, FeatureDependencies } from './feature.ts';

interface Request {
  readonly req: IncomingMessage;
}

const methods = { tls_client_auth: true, self_signed_tls_client_auth: true } as const;

/** The metadata that a certificate is compared with. */
const fieldsOf = (metadata: RegisteredMetadata) => ({
  tls_client_certificate_bound_access_tokens: metadata.tls_client_certificate_bound_access_tokens,
  tls_client_auth_subject_dn: metadata.tls_client_auth_subject_dn,
  tls_client_auth_san_dns: metadata.tls_client_auth_san_dns,
  tls_client_auth_san_uri: metadata.tls_client_auth_san_uri,
  tls_client_auth_san_ip: metadata.tls_client_auth_san_ip,
  tls_client_auth_san_email: metadata.tls_client_auth_san_email,
});

const create = ({ options, clientCertificate }: FeatureDependencies) => {
  const { certificatesAreVerified } = options;
  const aliases = mtlsAliases(options);
  return {
    upstream: {
      mTLS: {
        enabled: true,
        certificateBoundAccessTokens: true,
        selfSignedTlsClientAuth: true,
        // If no proxy or server has verified the chain, the subject is only a claim of the caller.
        tlsClientAuth: certificatesAreVerified,
        getCertificate: ({ req }: Request) => clientCertificate(req)?.certificate,
        certificateAuthorized: ({ req }: Request) => clientCertificate(req)?.isVerified === true,
        certificateSubjectMatches: ({ req }: Request, property: string, expected: string) => {
          const shown = clientCertificate(req);
          return shown !== undefined && subjectMatches(property, expected, shown.certificate);
        },
      },
    },
    configuration: {
      clientAuthMethods: [
        ...(certificatesAreVerified ? ['tls_client_auth'] : []),
        'self_signed_tls_client_auth',
      ] as never,
      ...(aliases ? { discovery: { mtls_endpoint_aliases: aliases } as never } : {}),
    },
    clientMetadata: fieldsOf,
  };
};

/** Client authentication by certificate, and tokens that are bound to a certificate (RFC 8705). */
export const mtls: Feature = {
  name: 'mtls',
  clientFields: {
    token_endpoint_auth_method: (method) => Object.hasOwn(methods, String(method)),
    tls_client_certificate_bound_access_tokens: Boolean,
  },
  create,
};
