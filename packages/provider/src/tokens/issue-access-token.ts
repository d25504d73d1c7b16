import type { Write } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { tokenEpochOf } from '../clients/registration-id.ts';
import type { Actor } from '../hooks/hook.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import {
  type AccessTokenJwts,
  type AccessTokenType,
  type Bound,
  confirmationOf,
  jwtId,
  topLevelClaims,
} from './access-token.ts';
import type { GrantPayload } from './grant-details.ts';
import type { Authentication } from './id-token.ts';
import { accessTokenLifetime, type Lifetimes } from './lifetimes.ts';
import type { Resource } from './resources.ts';
import { accessTokenValue, tokenRecord } from './token-value.ts';

/** Everything about an access token that its claims or its introspection show. */
export interface AccessToken {
  readonly client: ClientRecord;
  /** Absent for a token that a client has for itself. */
  readonly grantId?: string;
  /** The subject that a JWT names: the user as the client sees them. */
  readonly subject: string;
  /** The user, as the login app knows them. Absent for a token that a client has for itself. */
  readonly accountId?: string;
  /** The grant types that led to the token, space-delimited, the last one last. */
  readonly gty: string;
  readonly scope: string;
  readonly audience: readonly string[];
  readonly resource: Resource | undefined;
  /** The extra claims. A token with a grant has those of its grant. */
  readonly ext?: Readonly<Record<string, unknown>>;
  readonly authorizationDetails?: GrantPayload['authorizationDetails'];
  readonly act?: Actor;
  /** How and when the user has authenticated (RFC 9068, section 2.2.1). Absent for a token without a user's login. */
  readonly authentication?: Authentication;
  readonly bound?: Bound;
  /** Seconds since 1970. */
  readonly iat: number;
  /** The largest lifetime in seconds, whatever the resource, the client and the configuration say. */
  readonly maxSeconds?: number;
}

export interface IssuedAccessToken {
  /** A promise for a JWT: it is signed. */
  readonly value: string | Promise<string>;
  /** Seconds. */
  readonly expiresIn: number;
  /** None for a JWT. */
  readonly writes: readonly Write[];
}

export type IssueAccessToken = (token: AccessToken) => IssuedAccessToken;

export interface AccessTokenDependencies {
  readonly options: {
    readonly issuer: string;
    readonly accessTokenStrategy: 'opaque' | 'jwt';
    readonly accessTokenType: AccessTokenType;
    /** Hydra's options of JWT access tokens. */
    readonly accessTokenClaims: {
      readonly scopeClaim: 'list' | 'string' | 'both';
      readonly allowedTopLevel: readonly string[];
      readonly mirrorTopLevel: boolean;
      readonly excludeNotBefore: boolean;
    };
    readonly ttl: Pick<Lifetimes, 'accessToken'>;
  };
  readonly jwts: Pick<AccessTokenJwts, 'sign'>;
}

const recordOf = (value: string, token: AccessToken, exp: number) => {
  const { client, grantId, accountId, scope, audience, resource, ext = {}, act, bound, iat } = token;
  const epoch = tokenEpochOf(client);
  return tokenRecord(value, {
    clientId: client.id,
    accountId,
    iat,
    exp,
    scope: scope || undefined,
    aud: resource?.identifier,
    ...bound,
    audience: audience.length > 0 ? audience : undefined,
    generation: epoch === '' ? undefined : epoch,
    act,
    // With a grant, the grant has them, where hooks may change them.
    ext: grantId === undefined && Object.keys(ext).length > 0 ? ext : undefined,
  });
};

/** Issues access tokens, opaque or JWT as the resource, the client or the configuration demands, in this order. */
export const createIssueAccessToken = ({ options, jwts }: AccessTokenDependencies): IssueAccessToken => {
  const { scopeClaim, allowedTopLevel, mirrorTopLevel, excludeNotBefore } = options.accessTokenClaims;

  const formOf = ({ client: { metadata }, resource }: AccessToken) =>
    resource?.accessTokenStrategy ?? metadata.access_token_strategy ?? options.accessTokenStrategy;

  const sign = (token: AccessToken, exp: number): Promise<string> => {
    const { client, grantId, subject, scope, audience, ext = {}, authorizationDetails, act, bound = {}, iat } = token;
    const { authentication = {} } = token;
    const claims = {
      ...topLevelClaims(ext, allowedTopLevel),
      scope: scopeClaim === 'list' ? undefined : scope,
      scp: scopeClaim === 'string' ? undefined : spaceDelimited(scope),
      ext: mirrorTopLevel ? ext : undefined,
      nbf: excludeNotBefore ? undefined : iat,
      iss: options.issuer,
      sub: subject,
      // RFC 9068, section 3: without a resource, the audience is the issuer itself (userinfo).
      aud: audience.length > 0 ? audience : [options.issuer],
      client_id: client.id,
      exp,
      iat,
      jti: jwtId(grantId, tokenEpochOf(client)),
      cnf: confirmationOf(bound),
      authorization_details: authorizationDetails,
      act,
      auth_time: authentication.authTime,
      acr: authentication.acr,
      amr: authentication.amr,
    };
    return jwts.sign(claims, client.metadata.access_token_type ?? options.accessTokenType);
  };

  return (token) => {
    const { grantId, iat, maxSeconds = Number.POSITIVE_INFINITY } = token;
    const expiresIn = Math.min(accessTokenLifetime(token, options.ttl), maxSeconds);
    const exp = iat + expiresIn;
    if (formOf(token) === 'jwt') return { value: sign(token, exp), expiresIn, writes: [] };
    const value = accessTokenValue(grantId);
    return { value, expiresIn, writes: [{ type: 'put', record: recordOf(value, token, exp) }] };
  };
};
