import { scopeMatches } from '../clients/scope-match.ts';
import { createRedemptions } from '../flow/redemptions.ts';
import { createGrants } from '../grants/create-grants.ts';
import { createHookRunner } from '../hooks/run-hooks.ts';
import { grantAudiences } from '../library/client-endpoints.ts';
import { createAccessTokenJwts } from '../tokens/access-token.ts';
import { createFindActiveToken } from '../tokens/active-token.ts';
import { createClientJwts, type EncryptionKeys } from '../tokens/client-jwt.ts';
import { createIdTokens } from '../tokens/id-token.ts';
import { createIssueAccessToken } from '../tokens/issue-access-token.ts';
import { createResources } from '../tokens/resources.ts';
import type { OidcDependencies } from './oidc-dependencies.ts';

/** Everything that issues and finds tokens. */
export const createIssuing = (deps: OidcDependencies, encryptionKeys: EncryptionKeys) => {
  const { options, adapter, now } = deps;
  const jwts = createAccessTokenJwts({
    issuer: options.issuer,
    alg: options.idTokenAlg,
    keys: deps.signingKeys,
    allowedTopLevel: options.accessTokenClaims.allowedTopLevel,
    now,
  });
  const scopeMatch = scopeMatches[options.scopeStrategy];
  const findActiveToken = createFindActiveToken({ ...deps, read: adapter.read, jwts });
  const redemptions = createRedemptions({ ttl: options.ttl, now });
  const issueAccessToken = createIssueAccessToken({ options, jwts });
  const createClientJwt = createClientJwts({ ...deps, encryptionKeys });
  const idTokens = createIdTokens({ ...deps, createClientJwt });
  const resources = createResources(options.resources, options.features.resourceIndicators.enabled);
  const grants = createGrants({
    ...deps,
    grantAudiences: grantAudiences(options),
    findActiveToken,
    resources,
    scopeMatch,
    redemptions,
    issueAccessToken,
    idTokens,
    runHooks: createHookRunner(deps),
  });
  return {
    jwts,
    scopeMatch,
    findActiveToken,
    redemptions,
    issueAccessToken,
    createClientJwt,
    idTokens,
    resources,
    grants,
  };
};

export type Issuing = ReturnType<typeof createIssuing>;
