import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import type { ClientRecord } from '../clients/client-record.ts';
import { createFlowId } from '../flow/flow-id.ts';
import type { FlowState } from '../flow/flow-state.ts';
import { createRedemptions } from '../flow/redemptions.ts';
import { createAccessTokenJwts, grantOfJwt } from './access-token.ts';
import { adoptClients } from './clients.ts';
import { createCommitMiddleware } from './commit-middleware.ts';
import { createConfiguration } from './configuration.ts';
import { shareContext } from './cookie-facade.ts';
import type { OidcDependencies } from './dependencies.ts';
import { createFlowMiddleware } from './flow-middleware.ts';
import { createIntrospect, type Introspection } from './introspect.ts';
import { createLogoutMiddleware } from './logout-middleware.ts';
import { createModels } from './models.ts';
import { applyOverrides } from './overrides.ts';
import { createPolicy } from './policy.ts';
import { createRememberedConsents } from './remembered-consents.ts';
import { requestLimits } from './request-limits.ts';
import { currentState } from './request-state.ts';
import { createRevocationMiddleware } from './revocation-middleware.ts';
import { snapshotOf } from './sessions.ts';

export interface Oidc {
  /** Answers a request whose URL is relative to the issuer. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  introspect(token: string, options?: { readonly scope?: string }): Promise<Introspection>;
  /** Throws `invalid_client_metadata`. */
  validateClient(record: Pick<ClientRecord, 'id' | 'metadata'>): Promise<void>;
  stats(): { readonly clientInstantiations: number };
}

const stringsOf = (params: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** Seals the next challenge where oidc-provider would store an interaction. */
const interactionStarter = ({ options, tokens, now }: OidcDependencies) => {
  const withParam = (base: string, name: string, value: string): string => {
    const url = new URL(base);
    url.searchParams.set(name, value);
    return url.href;
  };

  return async (payload: Record<string, unknown>): Promise<void> => {
    const request = currentState();
    const expiresAt = Math.floor(now() / 1000) + options.ttl.loginConsentRequest;
    if (request.flow) {
      const state: FlowState = { ...request.flow, expiresAt, skipConsent: request.skipConsent };
      const challenge = await tokens.seal('consent_challenge', state);
      request.next = { url: withParam(options.urls.consent, 'consent_challenge', challenge), flowId: state.id };
      return;
    }
    const params = stringsOf(payload.params as Record<string, unknown>);
    if (request.quietly) params.prompt = 'none';
    const remembered =
      request.skipLogin && request.session ? { session: snapshotOf(request.session), skipLogin: true } : {};
    const state: FlowState = { id: createFlowId(now()), expiresAt, params, ...remembered };
    const challenge = await tokens.seal('login_challenge', state);
    request.next = { url: withParam(options.urls.login, 'login_challenge', challenge), flowId: state.id };
  };
};

/** oidc-provider, put to work: the only place that knows it from the outside. */
export const createOidc = (deps: OidcDependencies): Oidc => {
  const { options, adapter, logger, now } = deps;
  const jwts = createAccessTokenJwts({
    issuer: options.issuer,
    alg: options.idTokenAlg,
    keys: deps.signingKeys,
    now,
  });
  const openJwt = (value: string) => {
    const claims = jwts.open(value);
    if (claims === undefined) return undefined;
    const { jti, client_id: clientId, sub: accountId, exp, iat, scope } = claims;
    return { jti: value, kind: 'AccessToken', clientId, accountId, exp, iat, scope, grantId: grantOfJwt(jti) };
  };
  const redemptions = createRedemptions({ ttl: options.ttl, now });
  const models = createModels({
    envelope: deps.envelope,
    ttl: options.ttl,
    refreshGraceSeconds: options.refreshGraceSeconds,
    redemptions,
    keyRing: deps.keyRing,
    now,
    beginInteraction: interactionStarter(deps),
    openJwt,
  });
  const policy = createPolicy(createRememberedConsents(deps.jar));
  const provider = new Provider(options.issuer, createConfiguration(deps, { models, policy }));
  shareContext(provider, deps.jar);
  const clients = adoptClients(provider, deps);
  applyOverrides(provider, deps, jwts);

  const mayReceive = async (params: FlowState['params']): Promise<boolean> => {
    const client = await clients.find(params.client_id ?? '');
    return client?.redirectUriAllowed(params.redirect_uri ?? '') === true;
  };
  provider.use(
    createCommitMiddleware({
      issuer: options.issuer,
      adapter,
      logger,
      graceSeconds: options.refreshGraceSeconds,
      redemptions,
    }),
  );
  provider.use(requestLimits);
  provider.use(createFlowMiddleware({ ...deps, mayReceive }));
  provider.use(createLogoutMiddleware(deps));
  provider.use(createRevocationMiddleware(jwts));
  provider.on('authorization.success', (ctx, out) => {
    (out as Record<string, unknown>).scope = currentState().flow?.consent?.scopes.join(' ');
    void ctx;
  });
  provider.on('server_error', (_ctx, error) => logger.error({ err: error }, 'server_error'));

  return {
    handle: provider.callback() as Oidc['handle'],
    introspect: createIntrospect({ issuer: options.issuer, adapter, jwts }),
    validateClient: clients.validate,
    stats: () => ({ clientInstantiations: clients.instantiations() }),
  };
};
