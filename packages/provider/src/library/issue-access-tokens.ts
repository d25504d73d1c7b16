import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { scopeMatches } from '../clients/scope-match.ts';
import { createHookRunner, type Issued, type TokenClaims } from '../hooks/run-hooks.ts';
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
import { assertAudience, assertScopes } from './registered.ts';
import { currentState, stateOf } from './request-state.ts';

/** What the consent app granted; for a token without a grant, what is asked for and registered. */
const audienceOf = (ctx: KoaContextWithOIDC, client: object): readonly string[] => {
  const { audience: granted } = grantDetailsOf(ctx);
  if (granted) return granted;
  const { audience } = (ctx.oidc as unknown as { body?: Record<string, unknown> }).body ?? {};
  const requested = [audience ?? []].flat().flatMap(spaceDelimited);
  assertAudience(client, requested);
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
  const hookedClaims = async (issued: Omit<Issued, 'claims'>): Promise<TokenClaims> => {
    const { accessToken = {}, idToken = {} } = grantDetailsOf(issued.ctx);
    const before = { accessToken, idToken };
    if (issued.ctx.path !== routes.token) return before;
    const claims = await runHooks({ ...issued, claims: before });
    if (claims !== before) keepClaims(issued.ctx, claims);
    return claims;
  };

  const describe = async (ctx: KoaContextWithOIDC, client: object, model: Model): Promise<AccessToken> => {
    const audience = model.aud === undefined ? audienceOf(ctx, client) : [model.aud];
    const subject = subjectOf(ctx, client, model);
    const claims = await hookedClaims({ ctx, client, subject, audience, scopes: spaceDelimited(model.scope) });
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
    if (model.kind === 'ClientCredentials') assertScopes(client, spaceDelimited(model.scope), scopeMatch);
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
