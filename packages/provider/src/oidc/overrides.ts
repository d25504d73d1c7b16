import type { Provider } from 'oidc-provider';
import { spillState } from '../flow/spill.ts';
import { encodeState } from '../flow/state-codec.ts';
import type { AccessTokenForms } from './access-token-forms.ts';
import { issuesAtOnce } from './code-and-grant.ts';
import type { OidcDependencies } from './dependencies.ts';
import { passExtraClaims } from './extra-claims.ts';
import { completeIdTokens, refuseOtherTypes } from './id-tokens.ts';
import { issueAccessTokens } from './issue-access-tokens.ts';
import { type Issue, type Model, patch } from './model-class.ts';
import { currentState } from './request-state.ts';
import { codePrefix, refreshTokenValue } from './token-value.ts';

/**
 * What oidc-provider does differently here, all in one place: methods of its public model classes. Access tokens have a
 * file of their own, `issue-access-tokens.ts`. A new version of it
 * is checked against this list.
 */

/** A code longer than this goes to the store and a reference travels instead: Location stays under 4 KB. */
const maxCodeLength = 1_100;
/** The same beside tokens, which can't be spilled. */
const maxCodeLengthBesideTokens = 900;

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

export const applyOverrides = (provider: Provider, deps: OidcDependencies, forms: AccessTokenForms): void => {
  sealCodes(provider, deps);
  issueAccessTokens(provider, deps, forms);
  deriveSuccessors(provider, deps);
  fixUrls(provider, deps);
  openScopes(provider);
  extendGrants(provider);
  passExtraClaims(provider);
  completeIdTokens(provider);
  refuseOtherTypes(provider);
};
