import { isLoopbackHost } from '@carnet/adapter-contract/kit';
import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import { CarnetError } from '../../errors.ts';
import { parseJson } from '../../http/strict-json.ts';
import type { RegistrationTerms } from '../policy.ts';
import { parseNewClient } from '../self-metadata.ts';

type Sent = Readonly<Record<string, unknown>>;

/** Methods that need no secret which both sides know (draft, section 4.1). */
const authMethods: readonly unknown[] = ['none', 'private_key_jwt'];

/** The error for a document of this client that may not be used. The response and the log contain the problem. */
export const refuseDocument = (problem: string, cause?: unknown): CarnetError =>
  new CarnetError('client_document_invalid', `The client's metadata document may not be used: ${problem}`, { cause });

/**
 * The error for a URL without a document of this client. The reason is only in `cause`, for the log: an attacker may name any
 * URL and must not learn what it contains.
 */
export const notTheDocument = (reason: string): CarnetError =>
  new CarnetError(
    'client_document_invalid',
    'There is no metadata document of this client at the URL of its client_id.',
    { cause: new Error(reason) },
  );

const openDocument = (text: string, id: string): Sent => {
  let document: unknown;
  try {
    document = parseJson(text);
  } catch {
    throw notTheDocument('it is not JSON');
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw notTheDocument('not an object');
  if ((document as Sent).client_id !== id) throw notTheDocument('its client_id is another one');
  return document as Sent;
};

const assertNoSecret = (document: Sent): void => {
  const { token_endpoint_auth_method: method = 'none' } = document;
  if (!authMethods.includes(method))
    throw refuseDocument('Field token_endpoint_auth_method must be none or private_key_jwt.');
  const secret = ['client_secret', 'client_secret_expires_at'].find((name) => Object.hasOwn(document, name));
  if (secret !== undefined) throw refuseDocument(`Field ${secret} must not be in a public document.`);
};

const isLoopbackHttp = (uri: unknown): boolean => {
  const url = URL.parse(String(uri));
  return url?.protocol === 'http:' && isLoopbackHost(url.hostname);
};

/** A document is written for every server, so this server leaves out the grant types and scopes that its terms do not allow. */
const withinTerms = (document: Sent, { limits }: RegistrationTerms): Sent => {
  const { grant_types: grantTypes, scope, redirect_uris: redirectUris } = document;
  const allowedScopes = limits.allowedScopes;
  const isNative = Array.isArray(redirectUris) && redirectUris.some(isLoopbackHttp);
  return {
    ...document,
    token_endpoint_auth_method: document.token_endpoint_auth_method ?? 'none',
    grant_types: Array.isArray(grantTypes)
      ? grantTypes.filter((type) => limits.allowedGrantTypes.includes(type as string))
      : grantTypes,
    scope:
      typeof scope === 'string' && allowedScopes !== undefined
        ? scope
            .split(' ')
            .filter((one) => allowedScopes.includes(one))
            .join(' ')
        : scope,
    // RFC 8252, section 7.3: an app on the user's machine listens on any port.
    application_type: document.application_type ?? (isNative ? 'native' : undefined),
  };
};

/**
 * Reads a Client ID Metadata Document (draft-ietf-oauth-client-id-metadata-document-02, section 4).
 * @throws CarnetError `client_document_invalid`, `invalid_client_metadata`
 */
export const parseDocument = (text: string, id: string, terms: RegistrationTerms): RegisteredMetadata => {
  const document = openDocument(text, id);
  assertNoSecret(document);
  const { metadata } = parseNewClient(withinTerms(document, terms), terms.defaults);
  // No code may travel unencrypted over a network.
  if (metadata.redirect_uris.some((uri) => /^http:/i.test(uri) && !isLoopbackHttp(uri))) {
    throw refuseDocument(
      'Field redirect_uris must have https URLs, http URLs of the loopback interface, or app schemes.',
    );
  }
  return metadata;
};
