import type { Write } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { KeyRing } from '../flow/key-ring.ts';
import type { Bound } from './access-token.ts';
import type { GrantPayload } from './grant-details.ts';
import type { IdTokens } from './id-token.ts';
import type { Authentication } from './id-token-claims.ts';
import type { IssueAccessToken } from './issue-access-token.ts';
import { accessTokenLifetime, type Lifetimes, lifetimeOf } from './lifetimes.ts';
import type { Resource } from './resources.ts';
import { tokenRecord } from './token-record.ts';
import { refreshTokenValue } from './token-value.ts';

/** The `claims` parameter (OpenID Connect Core, section 5.5). */
export interface ClaimsRequest {
  readonly userinfo?: Readonly<Record<string, unknown>>;
  readonly id_token?: Readonly<Record<string, unknown>>;
}

/** The scopes and the audience of an access token. */
export interface AccessTarget {
  readonly scopes: readonly string[];
  readonly audience: readonly string[];
  /** Absent: the token is for no resource, and gives access to userinfo if its scopes include `openid`. */
  readonly resource: Resource | undefined;
}

/** Everything that the tokens of a user's grant are made of. */
export interface GrantContext {
  readonly client: ClientRecord;
  /** Decides the lifetime of the ID token. */
  readonly grantType: string;
  /** The grant types that led to the tokens, space-delimited, the last one last. */
  readonly gty: string;
  readonly grantId: string;
  /** The user, as the login app knows them. */
  readonly accountId: string;
  /** The scope of the code, or of the refresh token. */
  readonly scope: string;
  readonly authentication: Authentication;
  readonly claims?: ClaimsRequest;
  /** The granted resources. */
  readonly resources?: readonly string[];
  readonly grant: Pick<GrantPayload, 'idToken' | 'accessToken' | 'forcedSubject' | 'authorizationDetails'>;
  readonly access: AccessTarget;
  readonly bound: Bound;
  readonly isOpenId: boolean;
}

/** The refresh token to be issued. */
export interface NextRefreshToken {
  readonly value: string;
  /** How many refresh tokens of the grant came before it. */
  readonly rotations: number;
  /** Seconds since 1970: when the first refresh token of the grant was issued. */
  readonly iiat: number;
  readonly bound: Bound;
}

export interface IssuedTokens {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly idToken: string | undefined;
  /** The records of the tokens. A JWT has none. */
  readonly writes: readonly Write[];
  /** Milliseconds since 1970: when the last of them expires. */
  readonly expiresAt: number;
}

export interface IssueDependencies {
  readonly options: { readonly ttl: Pick<Lifetimes, 'accessToken' | 'refreshToken'> };
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
  readonly keyRing: Pick<KeyRing, 'secretName'>;
  readonly issueAccessToken: IssueAccessToken;
  readonly idTokens: IdTokens;
}

/** The first refresh token of a grant. */
export const firstRefreshToken = (grantId: string, iat: number, bound: Bound): NextRefreshToken => ({
  value: refreshTokenValue(grantId),
  rotations: 0,
  iiat: iat,
  bound,
});

export type IssueTokens = (
  context: GrantContext,
  refresh: NextRefreshToken | undefined,
  /** Seconds since 1970. */
  iat: number,
) => Promise<IssuedTokens>;

/** Issues the tokens of a user's grant, whatever grant type leads to them. */
export const createIssueTokens = (deps: IssueDependencies): IssueTokens => {
  const { subjects, keyRing, idTokens } = deps;
  const { ttl } = deps.options;

  const issueAccessToken = (context: GrantContext, iat: number, expiresIn: number) => {
    const { client, gty, grantId, accountId, grant, access, authentication, bound } = context;
    const token = {
      client,
      grantId,
      subject: subjects.present(client, accountId, grant.forcedSubject),
      scope: access.scopes.join(' '),
      audience: access.audience,
      ext: grant.accessToken,
      authorizationDetails: grant.authorizationDetails,
      authentication,
      bound,
      iat,
      exp: iat + expiresIn,
    };
    return deps.issueAccessToken(token, {
      accountId,
      gty,
      sid: authentication.sid,
      resource: access.resource?.identifier,
    });
  };

  const storeRefreshToken = (context: GrantContext, token: NextRefreshToken, times: { iat: number; exp: number }) => {
    const { client, gty, grantId, accountId, scope, claims, resources, authentication } = context;
    const { value, rotations, iiat, bound } = token;
    const ids = { clientId: client.id, accountId, grantId, gty, sessionUid: authentication.sid };
    const request = { scope, claims, resource: resources };
    const line = { rotations, iiat, ...bound, successorSecret: keyRing.secretName };
    return tokenRecord(value, { ...ids, ...authentication, ...request, ...line, ...times });
  };

  return async (context, refresh, iat) => {
    const { client, gty, grantType, accountId, grant, authentication, access, claims } = context;
    const expiresIn = accessTokenLifetime({ client, gty, resource: access.resource }, ttl);
    const { value, writes } = issueAccessToken(context, iat, expiresIn);
    const accessToken = typeof value === 'string' ? value : await value;
    const exp = iat + lifetimeOf(client, gty, 'refresh_token', ttl.refreshToken);
    const record = refresh && storeRefreshToken(context, refresh, { iat, exp });
    const hashed = { accessToken };
    const requested = claims?.id_token;
    const parts = { client, grantType, accountId, grant, authentication, requested, hashed, iat };
    return {
      accessToken,
      expiresIn,
      idToken: context.isOpenId ? await idTokens.issue(parts) : undefined,
      writes: record ? [...writes, { type: 'put', record }] : writes,
      expiresAt: Math.max(iat + expiresIn, record ? exp : 0) * 1000,
    };
  };
};
