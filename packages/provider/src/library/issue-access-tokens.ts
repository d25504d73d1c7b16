import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { assertAudience, assertScopes } from '../clients/registered.ts';
import { scopeMatches } from '../clients/scope-match.ts';
import { createHookRunner, type HookedTokens, type TokenClaims } from '../hooks/run-hooks.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { type AccessToken, type AccessTokenForms, storedMembers } from '../tokens/access-token-forms.ts';
import type { GrantPayload } from '../tokens/grant-details.ts';
import { accessTokenValue } from '../tokens/token-value.ts';
import { recordOf } from './clients.ts';
import type { OidcDependencies } from './dependencies.ts';
import { grantDetailsOf } from './grant-of-request.ts';
import { type Issue, type Model, patch } from './model-class.ts';
import { routes } from './paths.ts';
import { createPresentSubject } from './presented-subject.ts';
import { currentState, stateOf } from './request-state.ts';

/** What the consent app granted; for a token without a grant, what is asked for and registered. */
const audienceOf = (ctx: KoaContextWithOIDC, client: object): readonly string[] => {
  const { audience: granted } = grantDetailsOf(ctx);
  if (granted) return granted;
  const { audience } = (ctx.oidc as unknown as { body?: Record<string, unknown> }).body ?? {};
  const requested = [audience ?? []].flat().flatMap(spaceDelimited);
  assertAudience(recordOf(client), requested);
  return requested;
};

const keepClaims = (ctx: KoaContextWithOIDC, claims: TokenClaims): void => {
  const model = ctx.oidc.entities.Grant as { details?: GrantPayload } | undefined;
  if (model?.details) model.details = { ...model.details, ...claims };
  const state = stateOf(ctx);
  if (state.grant === undefined) return;
  const { record } = state.grant;
  const payload = JSON.stringify({ ...(JSON.parse(record.payload) as GrantPayload), ...claims });
  state.grant = { ...state.grant, record: { ...record, payload }, isChanged: true };
};

/** Access tokens are ours: their values, their form by client, their audience and what they say beside the standard. */
export const issueAccessTokens = (provider: Provider, deps: OidcDependencies, forms: AccessTokenForms): void => {
  const { options, now } = deps;
  const scopeMatch = scopeMatches[options.scopeStrategy];
  const present = createPresentSubject(deps.subjects);
  const runHooks = createHookRunner(deps);

  const subjectOf = (ctx: KoaContextWithOIDC, client: object, { accountId, clientId, grantId }: Model): string =>
    // Without a grant it is not a person of ours, but whoever another issuer has named.
    accountId === undefined || grantId === undefined ? (accountId ?? clientId) : present(ctx, client, accountId);

  /** What the hooks leave of the claims; a grant keeps it, for whoever asks about its tokens, and for the next refresh. */
  const hookedClaims = async (
    ctx: KoaContextWithOIDC,
    tokens: Pick<HookedTokens, 'client' | 'subject' | 'scopes' | 'audience'>,
  ): Promise<TokenClaims> => {
    const { accessToken = {}, idToken = {} } = grantDetailsOf(ctx);
    const before = { accessToken, idToken };
    if (ctx.path !== routes.token || runHooks === undefined) return before;
    const { body = {} } = ctx.oidc as unknown as { body?: Readonly<Record<string, unknown>> };
    const { AuthorizationCode, RefreshToken, DeviceCode } = ctx.oidc.entities;
    const claims = await runHooks({
      ...tokens,
      claims: before,
      grantType: String(ctx.oidc.params?.grant_type),
      parameter: (name) => [body[name] ?? []].flat().map(String),
      login: AuthorizationCode ?? RefreshToken ?? DeviceCode,
    }).catch((error: { readonly status?: number }) => {
      if (error.status === 503) ctx.set('Retry-After', '1');
      throw error;
    });
    if (claims !== before) keepClaims(ctx, claims);
    return claims;
  };

  const describe = async (ctx: KoaContextWithOIDC, client: object, model: Model): Promise<AccessToken> => {
    const audience = model.aud === undefined ? audienceOf(ctx, client) : [model.aud];
    const subject = subjectOf(ctx, client, model);
    const scopes = spaceDelimited(model.scope);
    const claims = await hookedClaims(ctx, { client: recordOf(client), subject, audience, scopes });
    const iat = Math.floor(now() / 1000);
    return {
      client: recordOf(client),
      grantId: model.grantId,
      subject,
      scope: model.scope ?? '',
      audience,
      ext: claims.accessToken,
      authorizationDetails: grantDetailsOf(ctx).authorizationDetails,
      act: stateOf(ctx).act,
      bound: model,
      iat,
      exp: model.exp ?? iat + model.expiration,
    };
  };

  async function getValueAndPayload(model: Model, original: (model: Model) => Promise<Issue>): Promise<Issue> {
    const { ctx } = provider.constructor as typeof Provider;
    const client = ctx?.oidc.client;
    if (ctx === undefined || client === undefined) throw new TypeError('an access token outside of a request');
    if (model.kind === 'ClientCredentials') assertScopes(recordOf(client), spaceDelimited(model.scope), scopeMatch);
    const token = await describe(ctx, client, model);
    const state = currentState();
    if (forms.formOf(token.client, model.aud) === 'opaque') {
      const { value, payload } = await original(model);
      state.accessToken = value;
      return { value, payload: { ...payload, ...storedMembers(token) } };
    }
    const value = await forms.sign(token);
    state.accessToken = value;
    if (state.grant) state.grant.expiresAt = Math.max(state.grant.expiresAt, token.exp * 1000);
    return { value };
  }

  for (const Class of [provider.AccessToken, provider.ClientCredentials]) {
    const { prototype } = Class as unknown as { prototype: { getValueAndPayload(): Promise<Issue> } };
    const original = prototype.getValueAndPayload;
    patch(Class, {
      generateTokenId(this: Model & { format?: string }) {
        this.format = 'opaque';
        return accessTokenValue(this.grantId);
      },
      getValueAndPayload(this: Model) {
        return getValueAndPayload(this, (model) => original.call(model));
      },
    });
  }
};
