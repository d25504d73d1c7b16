import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { type AccessToken, type AccessTokenForms, storedMembers } from '../tokens/access-token-forms.ts';
import { accessTokenValue } from '../tokens/token-value.ts';
import { recordOf } from './clients.ts';
import type { OidcDependencies } from './dependencies.ts';
import { grantDetailsOf } from './grant-of-request.ts';
import { type Issue, type Model, patch } from './model-class.ts';
import { createPresentSubject } from './presented-subject.ts';
import { stateOf } from './request-state.ts';

/**
 * Access tokens of the authorization endpoint (OpenID Connect Core, section 3.2): their values, their form by client, their
 * audience and extra claims. Those of the token endpoint are issued by `grants/`.
 */
export const issueAccessTokens = (
  provider: Provider,
  { subjects, now }: Pick<OidcDependencies, 'subjects' | 'now'>,
  forms: AccessTokenForms,
): void => {
  const present = createPresentSubject(subjects);
  const { prototype } = provider.AccessToken as unknown as { prototype: { getValueAndPayload(): Promise<Issue> } };
  const { getValueAndPayload } = prototype;

  const describe = (ctx: KoaContextWithOIDC, client: object, model: Model): AccessToken => {
    const { audience = [], accessToken: ext = {}, authorizationDetails } = grantDetailsOf(ctx);
    const iat = Math.floor(now() / 1000);
    return {
      client: recordOf(client),
      grantId: model.grantId,
      subject: present(ctx, client, model.accountId ?? ''),
      scope: model.scope ?? '',
      audience: model.aud === undefined ? audience : [model.aud],
      ext,
      authorizationDetails,
      bound: model,
      iat,
      exp: model.exp ?? iat + model.expiration,
    };
  };

  patch(provider.AccessToken, {
    generateTokenId(this: Model & { format?: string }) {
      this.format = 'opaque';
      return accessTokenValue(this.grantId);
    },
    async getValueAndPayload(this: Model): Promise<Issue> {
      const { ctx } = provider.constructor as typeof Provider;
      const client = ctx?.oidc.client;
      if (ctx === undefined || client === undefined) throw new TypeError('an access token outside of a request');
      const token = describe(ctx, client, this);
      const state = stateOf(ctx);
      if (forms.formOf(token.client, this.aud) === 'opaque') {
        const { value, payload } = await getValueAndPayload.call(this);
        state.accessToken = value;
        return { value, payload: { ...payload, ...storedMembers(token) } };
      }
      const value = await forms.sign(token);
      state.accessToken = value;
      if (state.grant) state.grant.expiresAt = Math.max(state.grant.expiresAt, token.exp * 1000);
      return { value };
    },
  });
};
