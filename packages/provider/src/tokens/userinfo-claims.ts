import type { ClientRecord } from '../clients/client-record.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { GrantPayload } from './grant-details.ts';
import { freeClaims } from './id-token.ts';

/** Everything that the userinfo response is made of. */
export interface UserinfoParts {
  readonly client: ClientRecord;
  /** The user, as the login app knows them. */
  readonly accountId: string;
  readonly grant: Pick<GrantPayload, 'idToken' | 'forcedSubject' | 'authTime' | 'acr' | 'amr'>;
  /** Seconds since 1970: when the access token was issued. */
  readonly iat: number;
}

/** The claims of the userinfo response (OpenID Connect Core, section 5.3.2), in their order. Undefined ones are left out. */
export type UserinfoClaims = (parts: UserinfoParts) => Readonly<Record<string, unknown>>;

export interface UserinfoDependencies {
  readonly options: { readonly issuer: string; readonly userinfo: 'standard' | 'hydra' };
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
}

/** Hydra's userinfo repeats the claims of the login from the ID token. `iat` is that of the access token. */
const hydraClaims = (iss: string, { client, grant: { authTime, acr, amr }, iat }: UserinfoParts) => ({
  aud: [client.id],
  iss,
  iat,
  auth_time: authTime,
  acr,
  amr,
});

export const createUserinfoClaims =
  ({ options: { issuer, userinfo }, subjects }: UserinfoDependencies): UserinfoClaims =>
  (parts) => ({
    ...freeClaims(parts.grant.idToken ?? {}),
    ...(userinfo === 'hydra' ? hydraClaims(issuer, parts) : {}),
    sub: subjects.present(parts.client, parts.accountId, parts.grant.forcedSubject),
  });
