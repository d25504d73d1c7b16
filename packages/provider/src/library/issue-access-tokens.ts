import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { IssueAccessToken } from '../tokens/issue-access-token.ts';
import { recordOf } from './clients.ts';
import { grantDetailsOf } from './grant-of-request.ts';
import { type Issue, type Model, patch } from './model-class.ts';
import { createPresentSubject } from './presented-subject.ts';
import { rememberFailure, stateOf } from './request-state.ts';

export interface IssueAccessTokensDependencies {
  readonly subjects: SubjectIdentifiers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Access tokens of the authorization endpoint (OpenID Connect Core, section 3.2) are issued by
 * `tokens/issue-access-token.ts`, from what oidc-provider has gathered.
 */
export const issueAccessTokens = (
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
