import type { IncomingMessage } from 'node:http';
import { subjectMatches } from '../../clients/certificate-subject.ts';
import type { Feature } from './feature.ts';

interface Request {
  readonly req: IncomingMessage;
}

const methods: readonly unknown[] = ['tls_client_auth', 'self_signed_tls_client_auth'];

/** Client authentication by certificate, and tokens that are bound to a certificate (RFC 8705). */
export const mtls: Feature = {
  clientFields: {
    token_endpoint_auth_method: (method) => methods.includes(method),
    tls_client_certificate_bound_access_tokens: Boolean,
  },
  create: ({ options, clientCertificate }) => ({
    upstream: {
      mTLS: {
        enabled: true,
        certificateBoundAccessTokens: true,
        selfSignedTlsClientAuth: true,
        // If no proxy or server has verified the chain, the subject is only a claim of the caller.
        tlsClientAuth: options.certificatesAreVerified,
        getCertificate: ({ req }: Request) => clientCertificate(req)?.certificate,
        certificateAuthorized: ({ req }: Request) => clientCertificate(req)?.isVerified === true,
        certificateSubjectMatches: ({ req }: Request, property: string, expected: string) => {
          const shown = clientCertificate(req);
          return shown !== undefined && subjectMatches(property, expected, shown.certificate);
        },
      },
    },
  }),
};
