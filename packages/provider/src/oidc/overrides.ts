import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { spillState } from '../flow/spill.ts';
import { encodeState } from '../flow/state-codec.ts';
import { words } from '../flow/words.ts';
import { type AccessTokenJwts, type Bound, confirmationOf, jwtId } from './access-token.ts';
import { recordOf } from './clients.ts';
import { type GrantPayload, issuesAtOnce } from './code-and-grant.ts';
import type { OidcDependencies } from './dependencies.ts';
import { passExtraClaims } from './extra-claims.ts';
import { completeIdTokens } from './id-tokens.ts';
import { createPresentSubject } from './presented-subject.ts';
import { assertAudience, assertScopes } from './registered.ts';
import { currentState } from './request-state.ts';
import { accessTokenValue, codePrefix, refreshTokenValue } from './token-value.ts';

/**
 * What oidc-provider does differently here, all in one place: methods of its public model classes. A new version of it
 * is checked against this list.
 */

/** A code longer than this goes to the store and a reference travels instead: Location stays under 4 KB. */
const maxCodeLength = 1_100;
/** The same beside tokens, which can't be spilled. */
const maxCodeLengthBesideTokens = 900;

interface Model extends Bound {
  readonly kind: string;
  jti?: string;
  iat?: number;
  exp?: number;
  clientId: string;
  accountId?: string;
  grantId?: string;
  gty?: string;
  scope?: string;
  sid?: string;
  readonly expiration: number;
}

type Issue = { value: string; payload?: Record<string, unknown> };

const patch = (Class: unknown, methods: Record<string, unknown>): void => {
  Object.assign((Class as { prototype: object }).prototype, methods);
};

/** A code is its flow, sealed once more: nothing is stored before it is redeemed. */
const sealCodes = (provider: Provider, { envelope, options, now }: OidcDependencies): void =>
  patch(provider.AuthorizationCode, {
    async getValueAndPayload(): Promise<Issue> {
      const { flow, uow } = currentState();
      if (flow === undefined) throw new TypeError('an authorization code without a flow');
      const expiresAt = Math.floor(now() / 1000) + options.ttl.authCode;
      const sealed = envelope.seal('authorization_code', encodeState({ ...flow, expiresAt }));
      const maxLength = issuesAtOnce(flow.params) ? maxCodeLengthBesideTokens : maxCodeLength;
      if (sealed.length <= maxLength) return { value: codePrefix + sealed };
      const { record, reference } = spillState(envelope, { ...flow, expiresAt });
      uow.write({ type: 'put', record });
      return { value: codePrefix + envelope.seal('authorization_code', reference) };
    },
  });

/** What the consent app decided about the tokens of a grant, as far as the client may still have it. */
const detailsOf = (ctx: KoaContextWithOIDC): Partial<GrantPayload> =>
  (ctx.oidc.entities.Grant as { details?: GrantPayload } | undefined)?.details ?? {};

const issueAccessTokens = (provider: Provider, deps: OidcDependencies, jwts: AccessTokenJwts): void => {
  const { options, now } = deps;
  const present = createPresentSubject(deps.subjects);

  /** What the consent app granted; for a client that acts for itself, what it asks for and is registered for. */
  const audienceOf = (ctx: KoaContextWithOIDC, client: object, details: Partial<GrantPayload>): readonly string[] => {
    if (details.audience) return details.audience;
    const { audience } = (ctx.oidc as unknown as { body?: Record<string, unknown> }).body ?? {};
    const requested = words(audience);
    assertAudience(client, requested);
    return requested;
  };

  async function getValueAndPayload(this: Model, original: (model: Model) => Promise<Issue>): Promise<Issue> {
    const { ctx } = provider.constructor as typeof Provider;
    const state = currentState();
    const client = ctx?.oidc.client;
    if (ctx === undefined || client === undefined) throw new TypeError('an access token outside of a request');
    const details = detailsOf(ctx);
    if (this.kind === 'ClientCredentials') assertScopes(client, words(this.scope));
    const audience = audienceOf(ctx, client, details);
    const { metadata } = recordOf(client);
    if ((metadata.access_token_strategy ?? options.accessTokenStrategy) === 'opaque') {
      const { value, payload } = await original(this);
      state.accessToken = value;
      return { value, payload: audience.length > 0 ? { ...payload, audience } : payload };
    }
    const iat = Math.floor(now() / 1000);
    const exp = this.exp ?? iat + this.expiration;
    const scope = this.scope ?? '';
    const value = await jwts.sign({
      iss: options.issuer,
      sub: this.accountId === undefined ? this.clientId : present(ctx, client, this.accountId),
      // RFC 9068, section 3: without a resource named, the issuer itself is the audience (userinfo).
      aud: audience.length > 0 ? audience : [options.issuer],
      client_id: this.clientId,
      exp,
      iat,
      nbf: iat,
      jti: jwtId(this.grantId),
      scope,
      scp: words(scope),
      ext: details.accessToken ?? {},
      cnf: confirmationOf(this),
    });
    state.accessToken = value;
    if (state.grant) state.grant.expiresAt = Math.max(state.grant.expiresAt, exp * 1000);
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
        return getValueAndPayload.call(this, (model) => original.call(model));
      },
    });
  }
};

/** The successor of a refresh token is derived from it: whoever asks twice within the grace period gets the same. */
const deriveSuccessors = (provider: Provider, { keyRing }: OidcDependencies): void =>
  patch(provider.RefreshToken, {
    generateTokenId(this: Model) {
      const { ctx } = provider.constructor as typeof Provider;
      const grantId = this.grantId ?? '';
      const former = ctx?.oidc.entities.RotatedRefreshToken?.jti;
      return former === undefined
        ? refreshTokenValue(grantId)
        : refreshTokenValue(grantId, keyRing.mac('refresh_successor', former, currentState().refresh?.secretName));
    },
  });

/** All URLs come from the issuer; the Host header has no part in them (D7), nor in whose assertions count (D8). */
const fixUrls = (provider: Provider, { options }: OidcDependencies): void => {
  const audiences = new Set([provider.issuer, provider.urlFor('token')]);
  // RFC 9126, section 2.
  if (options.features.par.enabled) audiences.add(provider.urlFor('pushed_authorization_request'));
  patch(provider.OIDCContext, {
    urlFor: (name: string, options?: Record<string, unknown>) => provider.urlFor(name, options),
    clientJwtAuthExpectedAudience: () => audiences,
  });
};

/** Any scope is known that is asked for: which of them a client may have, its record says (`registered.ts`). */
const openScopes = (provider: Provider): void => {
  Object.defineProperty(
    (provider.OIDCContext as unknown as { prototype: object }).prototype,
    'requestParamOIDCScopes',
    {
      get(this: { readonly requestParamScopes: Set<string> }) {
        return this.requestParamScopes;
      },
    },
  );
};

/** `details` of a grant: what the consent app decided about its tokens. */
const extendGrants = (provider: Provider): void => {
  const names = (provider.Grant as unknown as { IN_PAYLOAD: readonly string[] }).IN_PAYLOAD;
  Object.defineProperty(provider.Grant, 'IN_PAYLOAD', { value: [...names, 'details'] });
};

export const applyOverrides = (provider: Provider, deps: OidcDependencies, jwts: AccessTokenJwts): void => {
  sealCodes(provider, deps);
  issueAccessTokens(provider, deps, jwts);
  deriveSuccessors(provider, deps);
  fixUrls(provider, deps);
  openScopes(provider);
  extendGrants(provider);
  passExtraClaims(provider);
  completeIdTokens(provider);
};
