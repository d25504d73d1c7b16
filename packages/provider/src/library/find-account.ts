import type { Configuration, Provider } from 'oidc-provider';
import type { UserinfoClaims } from '../tokens/userinfo-claims.ts';
import { recordOf } from './clients.ts';
import { forcedSubjectOf, grantDetailsOf } from './presented-subject.ts';

const userinfoClaims = Symbol('userinfo claims');

/**
 * The user as oidc-provider sees them. Carnet stores no users: the claims are those of `tokens/userinfo-claims.ts` and,
 * for ID tokens, of `tokens/id-token.ts`.
 */
export const createFindAccount =
  (claimsOf: UserinfoClaims): NonNullable<Configuration['findAccount']> =>
  (ctx, subject) => ({
    accountId: subject,
    claims: async (use) => {
      const { client, entities } = ctx.oidc;
      if (use !== 'userinfo' || client === undefined) return { sub: subject };
      const grant = { ...grantDetailsOf(ctx), forcedSubject: forcedSubjectOf(ctx) };
      const iat = entities.AccessToken?.iat ?? 0;
      return { sub: subject, [userinfoClaims]: claimsOf({ client: recordOf(client), accountId: subject, grant, iat }) };
    },
  });

/** oidc-provider answers with the claims of its own configuration only: userinfo gets all of Carnet's instead. */
export const replaceUserinfoClaims = (provider: Provider): void => {
  type Claims = Readonly<Record<string, unknown>>;
  const { prototype } = provider.Claims as unknown as { prototype: { result(): Promise<Claims> } };
  const { result } = prototype;
  Object.assign(prototype, {
    result(this: { readonly available: { readonly [userinfoClaims]?: Claims } }) {
      return this.available[userinfoClaims] ?? result.call(this);
    },
  });
};
