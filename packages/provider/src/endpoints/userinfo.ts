import type { FoundRecord } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { type ScopeMatch, scopeMatches } from '../clients/scope-match.ts';
import { grantModel } from '../grants/code-and-grant.ts';
import { recordOf } from '../library/clients.ts';
import type { OidcDependencies } from '../library/dependencies.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { freeClaims } from '../tokens/extra-claims.ts';
import type { GrantPayload } from '../tokens/grant-details.ts';
import { isOfEpoch, tokenInModel } from '../tokens/token-record.ts';
import { grantKey, tokenKeys } from '../tokens/token-value.ts';
import { createUserinfoClaims } from '../tokens/userinfo-claims.ts';
import { jsonResponse, type LeanEndpoint } from './fast-endpoint.ts';
import type { FindClient } from './find-client.ts';

export interface UserinfoParts {
  readonly findClient: FindClient;
  /** What a JWT access token of ours says, as oidc-provider's model has it; nothing for any other. */
  readonly openJwt: (value: string) => AccessToken | undefined;
}

/** A token as oidc-provider's model has it. */
type AccessToken = Readonly<Record<string, unknown>>;

/** RFC 6750, section 2.1. */
const bearer = /^Bearer ([\w.~+/-]+)$/i;

/** With one of these a token is no plain bearer token, or its answer no plain one. */
const oddMembers = ['aud', 'nbf', 'iss', 'jkt', 'x5t#S256', 'claims', 'expiresWithSession'];

/** By the clock that oidc-provider looks at. */
const isPast = (seconds: number): boolean => seconds <= Math.floor(Date.now() / 1000);

const isPlain = (token: AccessToken): boolean =>
  typeof token.exp === 'number' &&
  !isPast(token.exp) &&
  typeof token.iat === 'number' &&
  (token.format === undefined || token.format === 'opaque') &&
  typeof token.accountId === 'string' &&
  token.accountId !== '' &&
  spaceDelimited(token.scope).includes('openid') &&
  oddMembers.every((name) => token[name] === undefined);

/** What the grant has for this client today, if it is the grant that the token is of. */
const detailsOf = (
  { clientId, accountId }: AccessToken,
  grant: FoundRecord,
  client: ClientRecord,
  matches: ScopeMatch,
): GrantPayload | undefined => {
  if (grant.clientId !== clientId || grant.subject !== accountId) return undefined;
  const model = grantModel(grant, client, matches);
  if (model === undefined || (model.exp !== undefined && isPast(model.exp as number))) return undefined;
  // A scope that the client is no longer registered for is not the person's to have granted.
  const { scope } = model.openid as { readonly scope: string };
  return spaceDelimited(scope).includes('openid') ? (model.details as GrantPayload) : undefined;
};

/** The claims of the person that a bearer token stands for (OpenID Connect Core 1.0, section 5.3), by one read. */
export const createUserinfoEndpoint = (
  { options, adapter, subjects }: Pick<OidcDependencies, 'options' | 'adapter' | 'subjects'>,
  { findClient, openJwt }: UserinfoParts,
): LeanEndpoint => {
  const matches = scopeMatches[options.scopeStrategy];
  const loginClaims = createUserinfoClaims(options);

  const opaque = async (value: string): Promise<readonly [AccessToken?, FoundRecord?]> => {
    const keys = tokenKeys(value);
    if (keys?.kind !== 'access_token' || keys.grant === undefined) return [];
    const [token, grant] = await adapter.read([keys.token, keys.grant]);
    return token ? [tokenInModel(token, value), grant] : [];
  };

  const structured = async (value: string): Promise<readonly [AccessToken?, FoundRecord?]> => {
    const token = openJwt(value);
    if (typeof token?.grantId !== 'string') return [];
    const [grant] = await adapter.read([grantKey(token.grantId)]);
    // A pairwise client's token names the person as the client knows them: whose it is, its grant says.
    return [{ ...token, accountId: grant?.subject }, grant];
  };

  return async ({ req, query }) => {
    const { headers } = req;
    const value = bearer.exec(headers.authorization ?? '')?.[1];
    if (value === undefined || query !== '' || headers.dpop !== undefined) return undefined;
    const [token, grant] = await (value.startsWith('ey') ? structured(value) : opaque(value));
    if (token === undefined || grant?.subject === undefined || !isPlain(token)) return undefined;
    const client = await findClient(req, String(token.clientId));
    if (client === undefined || client.userinfoSignedResponseAlg || client.userinfoEncryptedResponseAlg)
      return undefined;
    const record = recordOf(client);
    const details = isOfEpoch(record, token) ? detailsOf(token, grant, record, matches) : undefined;
    if (details === undefined) return undefined;
    const sub = subjects.present(record, grant.subject, details.forcedSubject);
    return jsonResponse({ ...freeClaims(details.idToken ?? {}), ...loginClaims(token, details), sub });
  };
};
