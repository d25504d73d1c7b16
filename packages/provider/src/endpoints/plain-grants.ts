import { problemOf } from '../library/request-limits.ts';
import type { AuthenticateClient, AuthenticatedClient } from './authenticate-client.ts';
import type { LeanEndpoint, LeanRequest, LeanResponse } from './fast-endpoint.ts';

/** The plain requests of one grant type. What it answers nothing to goes to oidc-provider. */
export interface LeanGrant {
  /** The parameters of the form, besides those of every request. A request with any other is forwarded. */
  readonly parameters: readonly string[];
  answer(
    request: LeanRequest,
    client: AuthenticatedClient,
  ): LeanResponse | undefined | Promise<LeanResponse | undefined>;
}

const ofEveryRequest = ['grant_type', 'client_id', 'client_secret'];

const arePlain = (form: ReadonlyMap<string, string>, known: ReadonlySet<string>): boolean => {
  for (const [name, value] of form)
    if (value === '' || !known.has(name) || problemOf(name, value) !== undefined) return false;
  return true;
};

/** Tokens of such a client are bound to a key or a certificate. */
const isBound = ({ metadata }: AuthenticatedClient['record']): boolean =>
  metadata.dpop_bound_access_tokens === true || metadata.tls_client_certificate_bound_access_tokens === true;

/** Grant types that have no implementation for both entrances yet. */
export const createPlainGrants = (
  grants: Readonly<Record<string, LeanGrant>>,
  authenticate: AuthenticateClient,
): LeanEndpoint => {
  const byType = new Map(
    Object.entries(grants).map(([type, grant]) => [
      type,
      { ...grant, known: new Set([...ofEveryRequest, ...grant.parameters]) },
    ]),
  );
  return (request) => {
    const grantType = request.form.get('grant_type') ?? '';
    const grant = byType.get(grantType);
    if (grant === undefined || request.query !== '' || !arePlain(request.form, grant.known)) return undefined;
    if (request.req.headers.dpop !== undefined) return undefined;
    return authenticate(request).then((client) =>
      client?.client.grantTypeAllowed(grantType) && !isBound(client.record) ? grant.answer(request, client) : undefined,
    );
  };
};
