import type { ClientRecord } from '../clients/client-record.ts';
import { tokenEpochOf } from '../clients/registration-id.ts';
import type { Actor } from '../hooks/hook.ts';
import type { OidcOptions } from '../library/dependencies.ts';
import { type AccessTokenJwts, type Bound, chosenClaims, confirmationOf, jwtId } from './access-token.ts';
import type { GrantPayload } from './grant-details.ts';

/** Everything about one access token but its form. */
export interface AccessToken {
  readonly client: ClientRecord;
  /** Absent of a token that a client has for itself. */
  readonly grantId: string | undefined;
  /** Whom a JWT names. */
  readonly subject: string;
  readonly scope: string;
  readonly audience: readonly string[];
  /** The extra members of introspection; of a token with a grant the grant has them. */
  readonly ext: Readonly<Record<string, unknown>> | undefined;
  readonly authorizationDetails: GrantPayload['authorizationDetails'];
  readonly act?: Actor;
  readonly bound?: Bound;
  /** Seconds since 1970. */
  readonly iat: number;
  /** Seconds since 1970. */
  readonly exp: number;
}

export interface AccessTokenForms {
  /** The form of a client's tokens, for a resource (RFC 8707) or none. */
  formOf(client: ClientRecord, resource?: string): 'opaque' | 'jwt';
  sign(token: AccessToken): Promise<string>;
}

/** The stored members of an opaque token in addition to those of oidc-provider's models. */
export const storedMembers = ({
  client,
  grantId,
  audience,
  ext,
  act,
}: Pick<AccessToken, 'client' | 'grantId' | 'audience' | 'ext' | 'act'>): Record<string, unknown> => {
  const epoch = tokenEpochOf(client);
  return {
    ...(audience.length > 0 ? { audience } : {}),
    ...(epoch === '' ? {} : { generation: epoch }),
    ...(act ? { act } : {}),
    ...(grantId === undefined && ext && Object.keys(ext).length > 0 ? { ext } : {}),
  };
};

export const createAccessTokenForms = (
  options: Pick<OidcOptions, 'issuer' | 'accessTokenStrategy' | 'accessTokenClaims' | 'resources'>,
  jwts: Pick<AccessTokenJwts, 'sign'>,
): AccessTokenForms => {
  const resources = new Map(options.resources.map((resource) => [resource.identifier, resource]));
  return {
    formOf: ({ metadata }, resource = '') =>
      resources.get(resource)?.accessTokenStrategy ?? metadata.access_token_strategy ?? options.accessTokenStrategy,
    sign: ({ client, grantId, subject, scope, audience, ext = {}, authorizationDetails, act, bound = {}, iat, exp }) =>
      jwts.sign({
        ...chosenClaims({ scope, ext, iat }, options.accessTokenClaims),
        iss: options.issuer,
        sub: subject,
        // RFC 9068, section 3: without a resource named, the issuer itself is the audience (userinfo).
        aud: audience.length > 0 ? audience : [options.issuer],
        client_id: client.id,
        exp,
        iat,
        jti: jwtId(grantId, tokenEpochOf(client)),
        cnf: confirmationOf(bound),
        authorization_details: authorizationDetails,
        act,
      }),
  };
};
