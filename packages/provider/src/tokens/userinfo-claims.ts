import type { GrantPayload } from './grant-details.ts';

/** The token of the userinfo request. */
export interface UserinfoToken {
  readonly clientId?: unknown;
  /** Seconds since 1970. */
  readonly iat?: unknown;
}

type Details = Pick<GrantPayload, 'authTime' | 'acr' | 'amr'>;

/** The members of userinfo beside the claims of the user, in the order of the answer. Undefined ones are left out. */
export type UserinfoClaims = (token: UserinfoToken, details: Details) => Readonly<Record<string, unknown>>;

const none: UserinfoClaims = () => ({});

/** Hydra's userinfo repeats the claims of the login from the ID token. `iat` is that of the access token. */
const hydras =
  (iss: string): UserinfoClaims =>
  ({ clientId, iat }, { authTime, acr, amr }) => ({
    aud: [clientId],
    iss,
    iat,
    ...(authTime === undefined ? {} : { auth_time: authTime }),
    ...(acr === undefined ? {} : { acr }),
    ...(amr === undefined ? {} : { amr }),
  });

export const createUserinfoClaims = ({
  issuer,
  userinfo,
}: {
  readonly issuer: string;
  readonly userinfo: 'standard' | 'hydra';
}): UserinfoClaims => (userinfo === 'hydra' ? hydras(issuer) : none);
