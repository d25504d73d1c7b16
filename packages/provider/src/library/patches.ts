import type { Context } from 'koa';
import type { Provider } from 'oidc-provider';
import { type SealCodeDependencies, sealCode } from '../interaction/seal-code.ts';
import type { IdTokens } from '../tokens/id-token.ts';
import type { IssueAccessToken } from '../tokens/issue-access-token.ts';
import { assertionAudiences, createProofUrl, type EndpointOptions } from './client-endpoints.ts';
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

/** Builds all URLs (D7) and the accepted audiences of assertions (D8) from the issuer, never from the Host header. */
const fixUrls = (provider: Provider, { options }: Pick<PatchDependencies, 'options'>): void => {
  const audiences = assertionAudiences(options);
  const proofUrl = createProofUrl(options);
  patch(provider.OIDCContext, {
    urlFor(
      this: { readonly route: string; readonly ctx: Context },
      name: string,
      options?: Record<string, unknown>,
    ): string {
      const url = provider.urlFor(name, options);
      return name === this.route ? proofUrl(url, this.ctx.get('DPoP')) : url;
    },
    clientJwtAuthExpectedAudience: () => audiences,
  });
};

/** Makes oidc-provider accept any scope. `registered.ts` checks whether the client is registered for it. */
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

/** Adds the member `details` to oidc-provider's grants: the stored grant without its scope and resources. */
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
