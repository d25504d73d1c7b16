import type { Write } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { type AccessToken, type AccessTokenForms, storedMembers } from './access-token-forms.ts';
import type { EffectiveGrant, GrantPayload } from './grant-details.ts';
import type { IdTokens } from './id-token.ts';
import type { Authentication } from './id-token-claims.ts';
import { lifetimeOf } from './lifetimes.ts';
import { tokenRecord } from './token-record.ts';
import { accessTokenValue, refreshTokenValue } from './token-value.ts';

/** What the tokens of a person's grant are made of: a code, or the refresh token before. */
export interface GrantContext {
  readonly client: ClientRecord;
  readonly grantType: 'authorization_code' | 'refresh_token';
  /** The grant types that led here, the last one last. */
  readonly gty: string;
  readonly grantId: string;
  readonly accountId: string;
  /** What was consented to. */
  readonly scope: string;
  readonly authentication: Authentication;
  readonly grant: GrantPayload;
  readonly effective: EffectiveGrant;
}

/** The refresh token to be issued. */
export interface NextRefreshToken {
  readonly value: string;
  /** How many it follows. */
  readonly rotations: number;
  /** Seconds since 1970: when the first of them was issued. */
  readonly iiat: number;
}

/** A successful answer of the token endpoint (RFC 6749, section 5.1; OpenID Connect Core, section 3.1.3.3). */
export interface TokenAnswer {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  readonly id_token?: string;
  readonly refresh_token?: string;
  readonly scope?: string;
}

export interface IssuedTokens {
  readonly answer: TokenAnswer;
  /** What is stored of the access token: nothing of a JWT. */
  readonly access: readonly Write[];
  /** What is stored of the refresh token. */
  readonly refresh: readonly Write[];
  /** Milliseconds since 1970: when the last of them expires. */
  readonly expiresAt: number;
}

interface Dependencies extends Pick<OidcDependencies, 'options' | 'subjects' | 'keyRing'> {
  readonly forms: AccessTokenForms;
  readonly idTokens: IdTokens;
}

/** The first refresh token of a grant. */
export const firstRefreshToken = (grantId: string, iat: number): NextRefreshToken => ({
  value: refreshTokenValue(grantId),
  rotations: 0,
  iiat: iat,
});

/** What models of oidc-provider have of every token of a person. */
const common = ({ client, gty, grantId, accountId, authentication: { sid } }: GrantContext) => ({
  clientId: client.id,
  accountId,
  grantId,
  gty,
  sid,
  sessionUid: sid,
});

export type IssueTokens = (
  source: GrantContext,
  refresh: NextRefreshToken | undefined,
  /** Seconds since 1970. */
  iat: number,
) => Promise<IssuedTokens | undefined>;

/** The tokens of a person's grant as oidc-provider issues them. Nothing where it has to: no key signs for the client. */
export const createIssueTokens = ({ options, subjects, keyRing, forms, idTokens }: Dependencies): IssueTokens => {
  const { ttl } = options;

  const issueAccessToken = async (source: GrantContext, scope: string, iat: number) => {
    const { client, gty, grantId, accountId, grant, effective } = source;
    const exp = iat + lifetimeOf(client, gty, 'access_token', ttl.accessToken);
    const token: AccessToken = {
      client,
      grantId,
      subject: subjects.present(client, accountId, grant.forcedSubject),
      scope,
      audience: effective.audience,
      ext: grant.accessToken,
      authorizationDetails: undefined,
      iat,
      exp,
    };
    if (forms.formOf(client) === 'jwt') return { value: await forms.sign(token), exp, writes: [] };
    const value = accessTokenValue(grantId);
    const record = tokenRecord(value, { ...common(source), iat, exp, scope, ...storedMembers(token) });
    return { value, exp, writes: [{ type: 'put', record } as const] };
  };

  const storeRefreshToken = (source: GrantContext, { value, rotations, iiat }: NextRefreshToken, iat: number) => {
    const exp = iat + lifetimeOf(source.client, source.gty, 'refresh_token', ttl.refreshToken);
    const { acr, amr, authTime, nonce } = source.authentication;
    const members = { acr, amr, authTime, nonce, scope: source.scope, rotations, iiat };
    const record = tokenRecord(value, {
      ...common(source),
      ...members,
      iat,
      exp,
      successorSecret: keyRing.secretName,
    });
    return { exp, write: { type: 'put', record } as const };
  };

  return async (source, refresh, iat) => {
    const { client, grantType, accountId, grant, authentication } = source;
    const consented = spaceDelimited(source.scope);
    const isOpenId = consented.includes('openid');
    if (isOpenId && client.metadata.id_token_encrypted_response_alg !== undefined) return undefined;
    const scope = spaceDelimited(source.effective.ownScope)
      .filter((one) => consented.includes(one))
      .join(' ');
    const access = await issueAccessToken(source, scope, iat);
    const stored = refresh && storeRefreshToken(source, refresh, iat);
    const hashed = { accessToken: access.value };
    const parts = { client, grantType, accountId, grant, authentication, hashed, iat };
    return {
      answer: {
        access_token: access.value,
        expires_in: access.exp - iat,
        id_token: isOpenId ? await idTokens.issue(parts) : undefined,
        refresh_token: refresh?.value,
        scope,
      },
      access: access.writes,
      refresh: stored ? [stored.write] : [],
      expiresAt: Math.max(access.exp, stored?.exp ?? 0) * 1000,
    };
  };
};
