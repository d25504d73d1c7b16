import type { Configuration } from 'oidc-provider';
import { extraClaims, loginClaims } from '../tokens/extra-claims.ts';
import { createUserinfoClaims, type UserinfoToken } from '../tokens/userinfo-claims.ts';
import type { OidcOptions } from './dependencies.ts';
import { grantDetailsOf } from './grant-of-request.ts';

/** The claims of the subject that the login app named, because the provider stores no users. */
export const createFindAccount = (
  options: Pick<OidcOptions, 'issuer' | 'userinfo'>,
): NonNullable<Configuration['findAccount']> => {
  const ofUserinfo = createUserinfoClaims(options);
  return (ctx, subject) => ({
    accountId: subject,
    claims: async (use) => {
      const details = grantDetailsOf(ctx);
      const { idToken = {} } = details;
      if (use === 'userinfo') {
        const token = ctx.oidc.entities.AccessToken as UserinfoToken | undefined;
        return { sub: subject, [extraClaims]: idToken, [loginClaims]: ofUserinfo(token ?? {}, details) };
      }
      // ID tokens take the claims of the grant from `tokens/id-token.ts`.
      return { sub: subject };
    },
  });
};
