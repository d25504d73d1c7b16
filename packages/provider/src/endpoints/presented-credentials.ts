import { basicCredentialsIn } from '../library/basic-credentials.ts';
import type { FastRequest } from './fast-endpoint.ts';

/** How a request identifies its client (RFC 6749, section 2.3.1). */
export interface ClientCredentials {
  readonly clientId: string;
  /** Absent for a public client. */
  readonly secret?: string;
  readonly method: 'client_secret_basic' | 'client_secret_post' | 'none';
}

const inHeader = (authorization: string): ClientCredentials | undefined => {
  const credentials = basicCredentialsIn(authorization);
  return credentials && { ...credentials, method: 'client_secret_basic' };
};

/** Headers by which a client authenticates: oidc-provider reads them. */
const elsewhere = ['oauth-client-attestation', 'oauth-client-attestation-pop'] as const;

/**
 * The client credentials of a request that has them in one place, the header or the form.
 *
 * @returns undefined for any other request, such as one with a client assertion: oidc-provider reads it
 */
export const clientCredentialsIn = ({ req: { headers }, form }: FastRequest): ClientCredentials | undefined => {
  if (elsewhere.some((name) => headers[name] !== undefined)) return undefined;
  if (form.has('client_assertion') || form.has('client_assertion_type')) return undefined;
  const { authorization } = headers;
  const [clientId, secret] = [form.get('client_id'), form.get('client_secret')];
  if (authorization !== undefined) {
    const credentials = secret === undefined ? inHeader(authorization) : undefined;
    return clientId === undefined || clientId === credentials?.clientId ? credentials : undefined;
  }
  if (clientId === undefined) return undefined;
  return secret === undefined ? { clientId, method: 'none' } : { clientId, secret, method: 'client_secret_post' };
};
