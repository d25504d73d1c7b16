import type { Provider } from 'oidc-provider';
import { type SealCodeDependencies, sealCode } from '../interaction/seal-code.ts';
import type { IdTokens } from '../tokens/id-token.ts';
import type { IssueAccessToken } from '../tokens/issue-access-token.ts';
import { assertionAudiences, type EndpointOptions } from './client-endpoints.ts';
import { replaceUserinfoClaims } from './find-account.ts';
import { issueIdTokens, refuseOtherTypes } from './id-tokens.ts';
import { type IssueAccessTokensDependencies, issueAccessTokens } from './issue-access-tokens.ts';
import { type Issue, patch } from './model-class.ts';
import { nameRefusals } from './name-refusals.ts';
import { currentState } from './request-state.ts';

/**
 * The patches of oidc-provider's public model classes, in one list. Check each new version of oidc-provider against it.
 * The patch of access tokens is in `issue-access-tokens.ts`.
 */
export interface PatchDependencies extends SealCodeDependencies, IssueAccessTokensDependencies {
  readonly options: SealCodeDependencies['options'] & EndpointOptions;
}

/** Replaces the codes of oidc-provider by those of Carnet. */
const sealCodes = (provider: Provider, deps: SealCodeDependencies): void =>
  patch(provider.AuthorizationCode, {
    async getValueAndPayload(): Promise<Issue> {
      const { flow, uow } = currentState();
      if (flow === undefined) throw new TypeError('an authorization code without a flow');
      const { value, record } = sealCode(flow, deps);
      if (record) uow.write({ type: 'put', record });
      return { value };
    },
  });

/** All URLs come from the issuer; the Host header has no part in them (D7), nor in whose assertions count (D8). */
const fixUrls = (provider: Provider, { options }: Pick<PatchDependencies, 'options'>): void => {
  const audiences = assertionAudiences(options);
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

export const applyOverrides = (
  provider: Provider,
  deps: PatchDependencies,
  { issueAccessToken, idTokens }: { readonly issueAccessToken: IssueAccessToken; readonly idTokens: IdTokens },
): void => {
  sealCodes(provider, deps);
  issueAccessTokens(provider, deps, issueAccessToken);
  fixUrls(provider, deps);
  openScopes(provider);
  extendGrants(provider);
  nameRefusals(provider);
  replaceUserinfoClaims(provider);
  issueIdTokens(provider, idTokens, deps.now);
  refuseOtherTypes(provider);
};
