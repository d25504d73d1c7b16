import type { FoundRecord, Write } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { RunHooks } from '../hooks/run-hooks.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { Bound } from '../tokens/access-token.ts';
import type { EffectiveGrant, GrantPayload } from '../tokens/grant-details.ts';
import type { AccessTarget, GrantContext, IssueTokens, NextRefreshToken } from '../tokens/issue.ts';
import type { Resources } from '../tokens/resources.ts';
import { tokenTypeOf } from './binding.ts';
import type { TokenRequest, TokenResponse } from './grant.ts';
import { writeOfGrant } from './grant-record.ts';

/** The source of user tokens: a code, a refresh token, or a polled request that the user has allowed. */
export interface UserGrant
  extends Pick<GrantContext, 'grantType' | 'gty' | 'scope' | 'authentication' | 'claims' | 'resources'> {
  /** The record of the grant. */
  readonly record: FoundRecord;
  readonly isStored: boolean;
  /** The payload of the record. */
  readonly payload: GrantPayload;
  readonly effective: EffectiveGrant;
  /** Milliseconds since 1970: until when tokens may live that were issued for the grant before. */
  readonly issuedUntil?: number;
}

/** A grant whose claims the hooks may have changed. */
type ChangedGrant = UserGrant & { readonly isChanged?: true };

export interface RequestedTokens {
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

export interface UserTokens {
  readonly response: TokenResponse;
  /** The records of the tokens and of their grant. */
  readonly writes: readonly Write[];
}

export interface UserTokensDependencies {
  readonly resources: Resources;
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
  readonly issueTokens: IssueTokens;
  /** Undefined if there are no hooks. */
  readonly runHooks: RunHooks | undefined;
}

/** @throws {OAuthError} */
export type IssueUserTokens = (
  request: TokenRequest,
  grant: UserGrant,
  requested: RequestedTokens,
) => Promise<UserTokens>;

/** The part of the requested scopes that the client may have today, for the resource that the request has `named`. */
export const accessTarget = (
  { record: client, named }: { readonly record: ClientRecord; readonly named: readonly string[] },
  { effective, resources: granted = [] }: Pick<UserGrant, 'effective' | 'resources'>,
  { scopes, resources }: { readonly scopes: readonly string[]; readonly resources: Resources },
): AccessTarget => {
  const resource = resources.ofGrant({ named, granted, scopes }, client);
  const usable = resource?.scopesOf(scopes) ?? scopes;
  const held = resource ? effective.resources.get(resource.identifier) : effective.ownScope;
  return {
    scopes: spaceDelimited(held).filter((scope) => usable.includes(scope)),
    audience: resource ? [resource.identifier] : effective.audience,
    resource,
  };
};

/** Runs the hooks. Their claims are stored with the grant, for introspection and the next refresh. */
const hooked = async (
  { record: client, parameters }: TokenRequest,
  { grant, access }: { readonly grant: UserGrant; readonly access: AccessTarget },
  { runHooks, subjects }: { readonly runHooks: RunHooks } & Pick<UserTokensDependencies, 'subjects'>,
): Promise<ChangedGrant> => {
  const { record, payload, grantType, authentication: login } = grant;
  const { accessToken = {}, idToken = {}, forcedSubject } = payload;
  const claims = { accessToken, idToken };
  const subject = subjects.present(client, record.subject ?? '', forcedSubject);
  const left = await runHooks({ client, grantType, parameter: parameters.all, login, subject, claims, ...access });
  if (left === claims) return grant;
  const changed = { ...payload, ...left };
  return { ...grant, payload: changed, record: { ...record, payload: JSON.stringify(changed) }, isChanged: true };
};

export const createIssueUserTokens = ({
  resources,
  subjects,
  issueTokens,
  runHooks,
}: UserTokensDependencies): IssueUserTokens => {
  const issue = async (
    { record: client }: TokenRequest,
    grant: ChangedGrant,
    { access, bound, scopes, refresh, iat }: RequestedTokens & { readonly access: AccessTarget },
  ): Promise<UserTokens> => {
    const { record, payload, isStored, isChanged, issuedUntil = 0, effective: _, ...kept } = grant;
    const { grantId = '', subject: accountId = '' } = record;
    const isOpenId = scopes.includes('openid');
    const context = { ...kept, client, grantId, accountId, grant: payload, access, bound, isOpenId };
    const issued = await issueTokens(context, refresh, iat);
    const expiresAt = Math.max(issued.expiresAt, issuedUntil);
    const write = writeOfGrant({ record, isStored, expiresAt, isChanged });
    const scope = access.scopes.join(' ');
    return {
      response: {
        access_token: issued.accessToken,
        expires_in: issued.expiresIn,
        id_token: issued.idToken,
        refresh_token: refresh?.value,
        scope: grant.scope === '' ? scope || undefined : scope,
        token_type: tokenTypeOf(bound),
        authorization_details: payload.authorizationDetails,
      },
      writes: write ? [...issued.writes, write] : issued.writes,
    };
  };

  return (request, grant, requested) => {
    const { record, parameters } = request;
    const target = { record, named: parameters.all('resource') };
    const tokens = { ...requested, access: accessTarget(target, grant, { ...requested, resources }) };
    if (runHooks === undefined) return issue(request, grant, tokens);
    const hookable = { grant, access: tokens.access };
    return hooked(request, hookable, { runHooks, subjects }).then((left) => issue(request, left, tokens));
  };
};
