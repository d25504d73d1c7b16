import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { tokenGenerationOf } from '../clients/registration.ts';
import { scopeMatches } from '../clients/scope-match.ts';
import { words } from '../flow/words.ts';
import { type AccessTokenJwts, confirmationOf, jwtId } from './access-token.ts';
import { recordOf } from './clients.ts';
import type { GrantPayload } from './code-and-grant.ts';
import type { OidcDependencies } from './dependencies.ts';
import { type Issue, type Model, patch } from './model-class.ts';
import { createPresentSubject } from './presented-subject.ts';
import { assertAudience, assertScopes } from './registered.ts';
import { currentState, type RequestState } from './request-state.ts';
import { accessTokenValue } from './token-value.ts';

/** What the consent app decided about the tokens of a grant, as far as the client may still have it. */
const detailsOf = (ctx: KoaContextWithOIDC): Partial<GrantPayload> =>
  (ctx.oidc.entities.Grant as { details?: GrantPayload } | undefined)?.details ?? {};

/** What the consent app granted; for a token without a grant, what is asked for and registered. */
const audienceOf = (ctx: KoaContextWithOIDC, client: object): readonly string[] => {
  const { audience: granted } = detailsOf(ctx);
  if (granted) return granted;
  const { audience } = (ctx.oidc as unknown as { body?: Record<string, unknown> }).body ?? {};
  const requested = words(audience);
  assertAudience(client, requested);
  return requested;
};

/** Everything about one access token but its form. */
interface Issuance {
  readonly model: Model;
  readonly state: RequestState;
  readonly audience: readonly string[];
  readonly generation: number;
  /** Whom a JWT names. */
  readonly subject: string;
  /** The extra members of introspection; of a token with a grant the grant has them. */
  readonly ext: Readonly<Record<string, unknown>> | undefined;
  readonly authorizationDetails: GrantPayload['authorizationDetails'];
}

const issueOpaque = async (
  { model, state, audience, generation, ext }: Issuance,
  original: (model: Model) => Promise<Issue>,
): Promise<Issue> => {
  const { value, payload } = await original(model);
  state.accessToken = value;
  return {
    value,
    payload: {
      ...payload,
      ...(audience.length > 0 ? { audience } : {}),
      ...(generation === 0 ? {} : { generation }),
      ...(model.grantId === undefined && ext ? { ext } : {}),
    },
  };
};

const issueJwt = async (
  { model, state, audience, generation, subject, ext, authorizationDetails }: Issuance,
  { options, now }: Pick<OidcDependencies, 'options' | 'now'>,
  jwts: AccessTokenJwts,
): Promise<Issue> => {
  const iat = Math.floor(now() / 1000);
  const exp = model.exp ?? iat + model.expiration;
  const scope = model.scope ?? '';
  const value = await jwts.sign({
    iss: options.issuer,
    sub: subject,
    // RFC 9068, section 3: without a resource named, the issuer itself is the audience (userinfo).
    aud: audience.length > 0 ? audience : [options.issuer],
    client_id: model.clientId,
    exp,
    iat,
    nbf: iat,
    jti: jwtId(model.grantId, generation),
    scope,
    scp: words(scope),
    ext: ext ?? {},
    cnf: confirmationOf(model),
    authorization_details: authorizationDetails,
  });
  state.accessToken = value;
  if (state.grant) state.grant.expiresAt = Math.max(state.grant.expiresAt, exp * 1000);
  return { value };
};

/** Access tokens are ours: their values, their form by client, their audience and what they say beside the standard. */
export const issueAccessTokens = (provider: Provider, deps: OidcDependencies, jwts: AccessTokenJwts): void => {
  const { options } = deps;
  const scopeMatch = scopeMatches[options.scopeStrategy];
  const present = createPresentSubject(deps.subjects);

  const subjectOf = (ctx: KoaContextWithOIDC, client: object, { accountId, clientId, grantId }: Model): string =>
    // Without a grant it is not a person of ours, but whoever another issuer has named.
    accountId === undefined || grantId === undefined ? (accountId ?? clientId) : present(ctx, client, accountId);

  async function getValueAndPayload(model: Model, original: (model: Model) => Promise<Issue>): Promise<Issue> {
    const { ctx } = provider.constructor as typeof Provider;
    const client = ctx?.oidc.client;
    if (ctx === undefined || client === undefined) throw new TypeError('an access token outside of a request');
    if (model.kind === 'ClientCredentials') assertScopes(client, words(model.scope), scopeMatch);
    const record = recordOf(client);
    const issuance: Issuance = {
      model,
      state: currentState(),
      audience: audienceOf(ctx, client),
      generation: tokenGenerationOf(record),
      subject: subjectOf(ctx, client, model),
      ext: detailsOf(ctx).accessToken,
      authorizationDetails: detailsOf(ctx).authorizationDetails,
    };
    const form = record.metadata.access_token_strategy ?? options.accessTokenStrategy;
    return form === 'opaque' ? issueOpaque(issuance, original) : issueJwt(issuance, deps, jwts);
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
