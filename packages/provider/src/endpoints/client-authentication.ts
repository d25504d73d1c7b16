import type { ClientRecord } from '../clients/client-record.ts';
import type { AskedClient } from '../library/client-assertion.ts';
import { mayAuthenticateBy, type ProviderClient, recordOf } from '../library/clients.ts';
import { invalidRequest, OAuthError } from '../oauth-error.ts';
import { assertOrigin } from './cors.ts';
import type { EndpointDependencies } from './dependencies.ts';
import type { EndpointRequest } from './endpoint.ts';
import { assertOnce } from './parameters.ts';

export interface AuthenticatedClient extends AskedClient {
  readonly record: ClientRecord;
}

/** The credentials of a request. With `none`, a certificate may be the proof. */
interface Shown {
  readonly method: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';
  readonly clientId?: string | undefined;
  readonly secret?: string | undefined;
}

const certificateMethods: ReadonlySet<unknown> = new Set(['tls_client_auth', 'self_signed_tls_client_auth']);

/** Headers of an authentication method for which no client can be registered. */
const attestations = ['oauth-client-attestation', 'oauth-client-attestation-pop'];

const credentialNames = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type'];

/** Base64 with or without its padding. */
const basicPattern = /^basic ((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?)$/i;
const printable = /^[\x20-\x7e]*$/;
/** Control characters, lone surrogates, and the replacement character for bytes that are not UTF-8. */
const unprintable = /[\p{Cc}\p{Cs}\uFFFD]/u;

const decode = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/**
 * The credentials in an Authorization header, each encoded as a form encodes it (RFC 6749, section 2.3.1). A secret may
 * have characters beyond ASCII; many clients send those as they are, in UTF-8.
 *
 * @throws {OAuthError} `invalid_request`
 */
const basicCredentialsIn = (authorization: string) => {
  const encoded = basicPattern.exec(authorization)?.[1];
  const text = Buffer.from(encoded ?? '', 'base64').toString();
  const at = text.indexOf(':');
  if (at < 0) throw invalidRequest('invalid authorization header value format');
  const [clientId, secret] = [decode(text.slice(0, at)), decode(text.slice(at + 1))];
  if (clientId === undefined || secret === undefined || !printable.test(clientId) || unprintable.test(secret))
    throw invalidRequest('client_id and client_secret in the authorization header are not properly encoded');
  return { clientId, secret };
};

/** The credentials of a request (RFC 6749, section 2.3.1). It is refused if it has them in two places. */
const shownIn = ({ headers: { authorization }, params }: EndpointRequest): Shown => {
  assertOnce(params, credentialNames);
  const [clientId, secret] = [params.get('client_id') || undefined, params.get('client_secret') || undefined];
  const isAssertion = Boolean(params.get('client_assertion'));
  if ([authorization, secret, isAssertion].filter(Boolean).length > 1)
    throw invalidRequest('client authentication must only be provided using one mechanism');
  if (isAssertion) return { method: 'private_key_jwt' };
  if (authorization === undefined) return { method: secret ? 'client_secret_post' : 'none', clientId, secret };
  const credentials = basicCredentialsIn(authorization);
  if (clientId !== undefined && clientId !== credentials.clientId) throw invalidRequest('client_id mismatch');
  if (credentials.secret === '') throw invalidRequest('client_secret must be provided in the Authorization header');
  return { method: 'client_secret_basic', ...credentials };
};

/** Whether a client that is registered for another method showed none, or the wrong one. */
const isMismatch = (client: ProviderClient, { method }: Shown): boolean =>
  !mayAuthenticateBy(client, method) && !(method === 'none' && certificateMethods.has(client.clientAuthMethod));

/**
 * The refusal of a client. It names the registered method if the request used another: many libraries send a secret in the
 * body unless they are configured. Safe without authentication of the client: the authorization endpoint already
 * distinguishes clients from unknown ids, and a method is no credential. The response does not reveal whether the secret
 * was right.
 */
const createRefusal =
  (issuer: string) =>
  ({ headers, auditContext }: EndpointRequest, shown: Shown, client?: ProviderClient): OAuthError => {
    const failed = 'client authentication failed';
    const registered = client && isMismatch(client, shown) ? String(client.clientAuthMethod) : undefined;
    if (registered !== undefined) auditContext.registeredAuthMethod = registered;
    const description = registered
      ? `${failed}: token_endpoint_auth_method of the client is ${registered}, and the request used ${shown.method}`
      : failed;
    const challenge = `Basic realm="${issuer}", error="invalid_client", error_description="${description}"`;
    return new OAuthError('invalid_client', description, {
      status: 401,
      headers: headers.authorization === undefined ? undefined : { 'WWW-Authenticate': challenge },
    });
  };

/**
 * Authenticates clients, each by the method it is registered for. Secrets are verified here: only their hashes are stored.
 * oidc-provider verifies certificates.
 */
export const createAuthenticateClient = ({ options, ask, secrets }: EndpointDependencies) => {
  const refusal = createRefusal(options.issuer);

  const meet = ({ auditContext, origin }: EndpointRequest, client: ProviderClient): void => {
    auditContext.clientId = client.clientId;
    assertOrigin(origin, client);
  };

  const byAsking = async (route: string, request: EndpointRequest, shown: Shown): Promise<AuthenticatedClient> => {
    let met: ProviderClient | undefined;
    try {
      const authenticate = shown.method === 'private_key_jwt' ? ask.authenticateByAssertion : ask.authenticate;
      const asked = await authenticate(route, request, (client) => {
        met = client;
        meet(request, client);
      });
      return { ...asked, record: recordOf(asked.client) };
    } catch (error) {
      throw error instanceof OAuthError && error.status === 401 ? refusal(request, shown, met) : error;
    }
  };

  /** @throws {OAuthError} `invalid_client`, `invalid_request` */
  return async (route: string, request: EndpointRequest): Promise<AuthenticatedClient> => {
    const shown = shownIn(request);
    if (attestations.some((name) => request.headers[name] !== undefined)) throw refusal(request, shown);
    if (shown.method === 'private_key_jwt') return byAsking(route, request, shown);
    const { clientId, secret } = shown;
    if (!clientId) throw invalidRequest('no client authentication mechanism provided');
    const client = await ask.findClient(clientId);
    if (client === undefined) throw refusal(request, shown);
    meet(request, client);
    if (!mayAuthenticateBy(client, shown.method)) {
      if (isMismatch(client, shown)) throw refusal(request, shown, client);
      return byAsking(route, request, shown);
    }
    const record = recordOf(client);
    const verified = secret === undefined || secrets.verify(record.id, secret, record.secrets);
    if (!(verified instanceof Promise ? await verified : verified)) throw refusal(request, shown, client);
    return { client, record, proofs: [] };
  };
};
