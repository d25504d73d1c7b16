import type { Write } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import type { RunHooks } from '../hooks/run-hooks.ts';
import { type Bound, tokenTypeOf } from '../tokens/access-token.ts';
import { lifetimeOf } from '../tokens/lifetimes.ts';
import type { AccessTarget } from '../tokens/resources.ts';
import { tokenRecord } from '../tokens/token-value.ts';
import type { GrantDependencies, TokenRequest, TokenResponse } from './grant.ts';
import { type UserGrant, writeOfGrant } from './grant-record.ts';

/** The refresh token to be issued. */
export interface NextRefreshToken {
  readonly value: string;
  /** How many refresh tokens of the grant came before it. */
  readonly rotations: number;
  /** Seconds since 1970: when the first refresh token of the grant was issued. */
  readonly iiat: number;
  readonly bound: Bound;
}

interface RequestedTokens {
  readonly bound: Bound;
  /**
   * The scopes of the access token and the ID token: those of the code or refresh token, or fewer (RFC 6749, section
   * 6).
   */
  readonly scopes: readonly string[];
  readonly refresh: NextRefreshToken | undefined;
  /** Seconds since 1970. */
  readonly iat: number;
}

interface UserTokens {
  readonly response: TokenResponse;
  /** The records of the tokens and of their grant. */
  readonly writes: readonly Write[];
}

type IssueUserTokens = (request: TokenRequest, grant: UserGrant, requested: RequestedTokens) => Promise<UserTokens>;

export interface UserGrantDependencies extends GrantDependencies {
  readonly issueUserTokens: IssueUserTokens;
}

type Tokens = RequestedTokens & { readonly access: AccessTarget };

/** Runs the hooks. Their claims are stored with the grant, for introspection and the next refresh. */
const hooked = async (
  { record: client, parameters }: TokenRequest,
  grant: UserGrant,
  { scopes, audience }: AccessTarget,
  { runHooks, subjects }: Pick<GrantDependencies, 'subjects'> & { readonly runHooks: RunHooks },
): Promise<UserGrant> => {
  const { record, payload, grantType, authentication: login } = grant;
  const { accessToken = {}, idToken = {}, forcedSubject } = payload;
  const claims = { accessToken, idToken };
  const subject = subjects.present(client, record.subject ?? '', forcedSubject);
  const parameter = parameters.all;
  const left = await runHooks({ client, grantType, parameter, login, subject, scopes, audience, claims });
  if (left === claims) return grant;
  const changed = { ...payload, ...left };
  return { ...grant, payload: changed, record: { ...record, payload: JSON.stringify(changed) }, isChanged: true };
};

const accessTokenOf = (
  client: ClientRecord,
  { record, payload, gty, authentication }: UserGrant,
  { access: { scopes, ...target }, bound, iat }: Tokens,
  { subjects }: Pick<GrantDependencies, 'subjects'>,
) => {
  const { grantId, subject: accountId = '' } = record;
  return {
    client,
    grantId,
    subject: subjects.present(client, accountId, payload.forcedSubject),
    accountId,
    gty,
    scope: scopes.join(' '),
    ...target,
    ext: payload.accessToken,
    authorizationDetails: payload.authorizationDetails,
    authentication,
    bound,
    iat,
  };
};

const refreshTokenRecord = (
  { id: clientId }: ClientRecord,
  { record, gty, scope, claims, resources: resource, authentication }: UserGrant,
  { value, bound, ...line }: NextRefreshToken,
  stored: { readonly successorSecret: string; readonly iat: number; readonly exp: number },
) => {
  const ids = { clientId, accountId: record.subject, gty };
  return tokenRecord(value, { ...ids, ...authentication, scope, claims, resource, ...line, ...bound, ...stored });
};

/** Issues the tokens of a user's grant, whatever grant type leads to them. */
export const createIssueUserTokens = (deps: GrantDependencies): IssueUserTokens => {
  const { options, resources, subjects, keyRing, issueAccessToken, idTokens, runHooks } = deps;

  const issue = async (client: ClientRecord, grant: UserGrant, tokens: Tokens): Promise<UserTokens> => {
    const { gty, grantType, payload, authentication, claims, issuedUntil = 0 } = grant;
    const { bound, scopes, refresh, iat } = tokens;
    const accessToken = accessTokenOf(client, grant, tokens, deps);
    const { accountId, scope } = accessToken;
    const issued = issueAccessToken(accessToken);
    const access_token = typeof issued.value === 'string' ? issued.value : await issued.value;
    const hashed = { accessToken: access_token };
    const requested = claims?.id_token;
    const parts = { client, grantType, accountId, grant: payload, authentication, requested, hashed, iat };
    const id_token = scopes.includes('openid') ? await idTokens.issue(parts) : undefined;
    const writes: Write[] = [...issued.writes];
    let expiresAt = Math.max((iat + issued.expiresIn) * 1000, issuedUntil);
    if (refresh) {
      const exp = iat + lifetimeOf(client, gty, 'refresh_token', options.ttl.refreshToken);
      const stored = { successorSecret: keyRing.secretName, iat, exp };
      writes.push({ type: 'put', record: refreshTokenRecord(client, grant, refresh, stored) });
      expiresAt = Math.max(expiresAt, exp * 1000);
    }
    const grantWrite = writeOfGrant(grant, expiresAt);
    if (grantWrite) writes.push(grantWrite);
    const response = {
      access_token,
      expires_in: issued.expiresIn,
      id_token,
      refresh_token: refresh?.value,
      scope: grant.scope === '' ? scope || undefined : scope,
      token_type: tokenTypeOf(bound),
      authorization_details: payload.authorizationDetails,
    };
    return { response, writes };
  };

  return (request, grant, requested) => {
    const { record: client, parameters } = request;
    const { effective, resources: granted } = grant;
    const target = { named: parameters.all('resource'), granted, scopes: requested.scopes, effective };
    const access = resources.targetOf(target, client);
    const tokens = { ...requested, access };
    if (runHooks === undefined) return issue(client, grant, tokens);
    return hooked(request, grant, access, { runHooks, subjects }).then((left) => issue(client, left, tokens));
  };
};
