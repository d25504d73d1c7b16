import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { extraClaims, loginClaims } from '../tokens/extra-claims.ts';
import type { GrantPayload } from '../tokens/grant-details.ts';
import { createUserinfoClaims, type UserinfoToken } from '../tokens/userinfo-claims.ts';
import type { OidcOptions } from './dependencies.ts';

/** The consent app's claims that an ID token has. If an access token is issued with it, userinfo has the rest. */
const claimsFor = (given: Readonly<Record<string, unknown>>, requested: object) =>
  Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(requested, name)));

const detailsOf = ({ oidc }: KoaContextWithOIDC): Partial<GrantPayload> =>
  (oidc.entities.Grant as { readonly details?: GrantPayload } | undefined)?.details ?? {};

/** The claims of the subject that the login app named, because the provider stores no users. */
export const createFindAccount = (
  options: Pick<OidcOptions, 'issuer' | 'idTokenClaims' | 'userinfo'>,
): NonNullable<Configuration['findAccount']> => {
  const ofUserinfo = createUserinfoClaims(options);
  return (ctx, subject) => ({
    accountId: subject,
    claims: async (use, _scope, requested) => {
      const details = detailsOf(ctx);
      const { idToken = {} } = details;
      if (use === 'userinfo') {
        const token = ctx.oidc.entities.AccessToken as UserinfoToken | undefined;
        return { sub: subject, [extraClaims]: idToken, [loginClaims]: ofUserinfo(token ?? {}, details) };
      }
      const hasRest = ctx.oidc.params?.response_type !== 'id_token';
      const given = hasRest && options.idTokenClaims === 'requested' ? claimsFor(idToken, requested) : idToken;
      return { sub: subject, [extraClaims]: given };
    },
  });
};
