import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import type { ClientRecord } from '../clients/client-record.ts';
import { scopeMatches } from '../clients/scope-match.ts';
import { clientEndpoints } from '../endpoints/client-endpoints.ts';
import { documentEndpoints } from '../endpoints/documents.ts';
import { createFastEndpoints } from '../endpoints/fast-endpoints.ts';
import { createEndpointHandler } from '../endpoints/handler.ts';
import { createLogoutMiddleware } from '../endpoints/logout/logout-middleware.ts';
import { CarnetError } from '../errors.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { createRedemptions } from '../flow/redemptions.ts';
import { createGrants } from '../grants/create-grants.ts';
import { createHookRunner } from '../hooks/run-hooks.ts';
import { setOwnHeaders } from '../http/security-headers.ts';
import { createFlowEngine } from '../interaction/create-flow-engine.ts';
import { createAsk } from '../library/ask.ts';
import { createAuditEndpoint } from '../library/audit.ts';
import { grantAudiences } from '../library/client-endpoints.ts';
import { adoptClients, recordOf } from '../library/clients.ts';
import { createCommitMiddleware } from '../library/commit-middleware.ts';
import { createConfiguration } from '../library/configuration.ts';
import { shareContext } from '../library/cookie-facade.ts';
import { documentsOf } from '../library/documents.ts';
import { createEncryptionKeys } from '../library/encryption-keys.ts';
import { createFailureResponse } from '../library/failure-response.ts';
import { composeFeatures } from '../library/features/compose-features.ts';
import { createClientOf, createFindClient } from '../library/find-client.ts';
import { createFlowMiddleware } from '../library/flow-middleware.ts';
import { restrictFormPost } from '../library/form-post-policy.ts';
import { completeAnswers } from '../library/id-tokens.ts';
import { createInteractionPolicy } from '../library/interaction-policy.ts';
import { createModels } from '../library/models/models.ts';
import { applyOverrides } from '../library/patches.ts';
import { createPaths } from '../library/paths.ts';
import { createProveKeys } from '../library/proven-keys.ts';
import { requestIdOf } from '../library/request-state.ts';
import { createAccessTokenJwts, type OpenedAccessToken } from '../tokens/access-token.ts';
import { createFindActiveToken } from '../tokens/active-token.ts';
import { createFindRevocation } from '../tokens/find-revocation.ts';
import { createIdTokens } from '../tokens/id-token.ts';
import { createIntrospect, type Introspection } from '../tokens/introspect.ts';
import { createIssueTokens } from '../tokens/issue.ts';
import { createIssueAccessToken } from '../tokens/issue-access-token.ts';
import { createResources } from '../tokens/resources.ts';
import { createUserinfoClaims } from '../tokens/userinfo-claims.ts';
import type { OidcDependencies } from './oidc-dependencies.ts';

export interface Oidc {
  /** The pattern of the endpoint at a path below the issuer; undefined if the provider has no such endpoint. */
  routeOf(path: string): string | undefined;
  /** Answers a request whose URL is relative to the issuer. */
  handle(req: IncomingMessage, res: ServerResponse, requestId: string): Promise<void>;
  introspect(token: string, options?: { readonly scope?: string }): Promise<Introspection>;
  /** The claims of a JWT access token of this issuer; `undefined` for any other value, and once it has expired. */
  openAccessToken(jwt: string): OpenedAccessToken | undefined;
  /** Throws `invalid_client_metadata`. */
  validateClient(record: Pick<ClientRecord, 'id' | 'metadata'>): Promise<void>;
  /**
   * Like `validateClient`, but sends no request. For the clients of the configuration: their operator decides which redirect
   * URIs belong to a sector, and a start must not depend on another server.
   */
  validateConfiguredClient(record: Pick<ClientRecord, 'id' | 'metadata'>): Promise<void>;
  stats(): { readonly clientInstantiations: number };
}

/** Puts the parts of the public endpoints together: grants, flow engine, oidc-provider and the fast path before it. */
export const createOidc = (deps: OidcDependencies): Oidc => {
  const { options, adapter, logger, now } = deps;
  const scopeMatch = scopeMatches[options.scopeStrategy];
  const jwts = createAccessTokenJwts({
    issuer: options.issuer,
    alg: options.idTokenAlg,
    keys: deps.signingKeys,
    allowedTopLevel: options.accessTokenClaims.allowedTopLevel,
    now,
  });
  const findActiveToken = createFindActiveToken({ ...deps, read: adapter.read, jwts });
  const userinfoClaims = createUserinfoClaims(deps);
  const redemptions = createRedemptions({ ttl: options.ttl, now });
  // oidc-provider's clients exist once the provider does, which is made with the flow engine.
  const receiverOf = async (params: FlowState['params']): Promise<ClientRecord | undefined> => {
    const client = await clients.find(params.client_id ?? '');
    return client?.redirectUriAllowed(params.redirect_uri ?? '') ? recordOf(client) : undefined;
  };
  const engine = createFlowEngine({ ...deps, receiverOf });
  const modelOptions = {
    envelope: deps.envelope,
    redemptions,
    scopeMatch,
    clients: deps.clients,
    now,
    jwts,
  };
  const features = composeFeatures({ ...deps, modelOptions, engine });
  const paths = createPaths(features.endpoints);
  const failureResponse = createFailureResponse({ paths, logger });
  const models = { ...createModels(modelOptions), ...features.models };
  const policy = createInteractionPolicy(engine);
  const provider = new Provider(
    options.issuer,
    createConfiguration(deps, { models, policy, paths, features, userinfoClaims }),
  );
  shareContext(provider);
  const clients = adoptClients(provider, deps, features);
  const issueAccessToken = createIssueAccessToken({ options, jwts });
  const idTokens = createIdTokens({ ...deps, encryptionKeys: createEncryptionKeys(clients) });
  applyOverrides(provider, deps, { issueAccessToken, idTokens });
  features.install(provider);

  const grants = createGrants({
    ...deps,
    ttl: options.ttl,
    features: options.features,
    grantAudiences: grantAudiences(options),
    findActiveToken,
    graceSeconds: options.refreshGraceSeconds,
    reuseCount: options.refreshGraceReuseCount,
    rotates: !options.features.fapi.enabled,
    resources: createResources(options.resources, options.features.resourceIndicators.enabled),
    scopeMatch,
    redemptions,
    issueAccessToken,
    issueTokens: createIssueTokens({ ...deps, issueAccessToken, idTokens }),
    runHooks: createHookRunner(deps),
  });
  // Announced in discovery, and accepted as metadata of clients.
  for (const name of Object.keys(grants)) provider.registerGrantType(name, () => {}, []);

  provider.use(
    createCommitMiddleware({
      issuer: options.issuer,
      adapter,
      undoneBy: deps.undoneBy,
      logger,
      failureResponse,
    }),
  );
  provider.use(createFlowMiddleware({ ...deps, engine }));
  provider.use(createLogoutMiddleware(deps));
  for (const middleware of features.middlewares) provider.use(middleware);
  completeAnswers(provider, options);
  restrictFormPost(provider);
  provider.on('server_error', (ctx, err) => {
    // An outage is logged where it is answered.
    if (!(err instanceof CarnetError)) logger.error({ err, requestId: requestIdOf(ctx) }, 'server_error');
  });

  const callback = provider.callback() as (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  const libraryHandler: Oidc['handle'] = (req, res, requestId) => {
    setOwnHeaders(res, requestId);
    return callback(req, res);
  };
  const handler = createEndpointHandler({
    endpoints: {
      ...documentEndpoints(documentsOf(provider, options)),
      ...clientEndpoints({
        ...deps,
        ask: createAsk(provider, clients, deps),
        findRevocation: createFindRevocation({ jwts, adapter, redemptions }),
        grants,
        proveKeys: createProveKeys(provider, deps),
      }),
      ...createFastEndpoints(deps, {
        findClient: createFindClient(clients),
        clientOf: createClientOf(clients),
        scopeMatch,
        engine,
        findActiveToken,
        userinfoClaims,
      }),
    },
    paths,
    features: options.features,
    failureResponse,
    audit: createAuditEndpoint(deps.audit),
  });

  return {
    routeOf: (path) => paths.endpointAt(path)?.path,
    handle: async (req, res, requestId) => {
      if (!(await handler(req, res, requestId))) await libraryHandler(req, res, requestId);
    },
    introspect: createIntrospect({
      issuer: options.issuer,
      findActiveToken,
      subjects: deps.subjects,
      scopeMatch,
      showsAuthentication: options.supportedAcrValues.length > 0 && options.discovery !== 'hydra',
    }),
    openAccessToken: jwts.open,
    validateClient: async (record) => {
      await clients.validate(record);
      await deps.subjects.validate(record.metadata);
    },
    validateConfiguredClient: async (record) => {
      await clients.validate(record);
      deps.subjects.assertSupported(record.metadata);
    },
    stats: () => ({ clientInstantiations: clients.instantiations() }),
  };
};
