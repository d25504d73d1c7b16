import type { Context } from 'koa';
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { Clock } from '../clock.ts';
import { type SealCodeDependencies, sealCode } from '../interaction/seal-code.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import type { IdTokens } from '../tokens/id-token.ts';
import type { IssueAccessToken } from '../tokens/issue-access-token.ts';
import { assertionAudiences, createProofUrl, type EndpointOptions } from './client-endpoints.ts';
import { recordOf } from './clients.ts';
import { issueIdTokens, refuseOtherTypes, replaceUserinfoClaims } from './id-tokens.ts';
import { type Issue, type Model, patch } from './model-class.ts';
import { createPresentSubject, grantDetailsOf } from './presented-subject.ts';
import { currentState, rememberFailure, stateOf } from './request-state.ts';

interface IssueAccessTokensDependencies extends Clock {
  readonly subjects: SubjectIdentifiers;
}

/**
 * Access tokens of the authorization endpoint (OpenID Connect Core, section 3.2) are issued by
 * `tokens/issue-access-token.ts`, from what oidc-provider has gathered.
 */
const issueAccessTokens = (
  provider: Provider,
  { subjects, now }: IssueAccessTokensDependencies,
  issueAccessToken: IssueAccessToken,
): void => {
  const present = createPresentSubject(subjects);

  const issue = (ctx: KoaContextWithOIDC, client: object, model: Model) => {
    const { audience = [], accessToken: ext, authorizationDetails } = grantDetailsOf(ctx);
    const { grantId, accountId, gty, sid, aud: resource } = model;
    const iat = Math.floor(now() / 1000);
    const token = {
      client: recordOf(client),
      grantId,
      subject: present(ctx, client, accountId ?? ''),
      scope: model.scope ?? '',
      audience: resource === undefined ? audience : [resource],
      ext,
      authorizationDetails,
      iat,
      exp: iat + model.expiration,
    };
    return { ...issueAccessToken(token, { accountId, gty, sid, resource }), expiresAt: token.exp * 1000 };
  };

  patch(provider.AccessToken, {
    async getValueAndPayload(this: Model): Promise<Issue> {
      const { ctx } = provider.constructor as typeof Provider;
      const client = ctx?.oidc.client;
      if (ctx === undefined || client === undefined) throw new TypeError('an access token outside of a request');
      const state = stateOf(ctx);
      const { value, writes, expiresAt } = issue(ctx, client, this);
      for (const write of writes) state.uow.write(write);
      if (state.grant) state.grant.expiresAt = Math.max(state.grant.expiresAt, expiresAt);
      state.accessToken = typeof value === 'string' ? value : await rememberFailure(state, () => value);
      // Without a payload oidc-provider stores nothing itself.
      return { value: state.accessToken };
    },
  });
};

interface ProviderClient {
  responseTypeAllowed(type: string): boolean;
}

/** An ID token needs the scope `openid`. Without that scope there is no ID token for a `nonce`, and it is left out. */
const settleNonce = ({ oidc }: KoaContextWithOIDC, responseType: string): void => {
  const params = oidc.params as Record<string, unknown>;
  if (spaceDelimited(params.scope).includes('openid')) return;
  if (spaceDelimited(responseType).includes('id_token'))
    throw new errors.InvalidScope('openid must be in scope for this response_type', 'openid');
  params.nonce = undefined;
};

/**
 * Refuses requests for which a client is not registered with the errors of RFC 6749 (sections 4.1.2.1 and 5.2), as Hydra does.
 * oidc-provider answers `invalid_request`. It checks the response types of a client once for each authorization request, after
 * it has read request objects.
 */
const nameRefusals = (provider: Provider): void => {
  const { prototype } = provider.Client as unknown as { prototype: ProviderClient };
  const { responseTypeAllowed } = prototype;
  const currentContext = () => (provider.constructor as typeof Provider).ctx;
  Object.assign(prototype, {
    responseTypeAllowed(this: ProviderClient, type: string): boolean {
      const isAllowed = responseTypeAllowed.call(this, type);
      const ctx = currentContext();
      if (ctx === undefined) return isAllowed;
      if (!isAllowed) throw new errors.UnsupportedResponseType('the client is not registered for this response_type');
      settleNonce(ctx, type);
      return true;
    },
  });
};

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

/**
 * The patches of oidc-provider's public model classes, in one list. Check each new version of oidc-provider against it.
 */
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
