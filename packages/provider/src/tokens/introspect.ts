import type { RegisteredClient } from '../clients/registration-id.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { Actor } from '../hooks/hook.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import { type Confirmation, tokenTypeOf } from './access-token.ts';
import type { ActiveToken, FindActiveToken } from './active-token.ts';
import { effectiveGrant, type GrantPayload } from './grant-details.ts';

/** The introspection response (RFC 7662, section 2.2), with the members that Hydra's SDKs know and no others. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly client_id: string;
      /** The subject as the login app knows it. */
      readonly sub: string;
      /** The subject as the client sees it, if that differs. */
      readonly obfuscated_subject?: string;
      readonly exp: number;
      readonly iat: number;
      readonly nbf: number;
      readonly aud: readonly string[];
      readonly iss: string;
      readonly token_type: 'Bearer' | 'DPoP';
      readonly token_use: 'access_token' | 'refresh_token';
      readonly ext?: Readonly<Record<string, unknown>>;
      /** Who acts for the subject (RFC 8693, section 4.1). */
      readonly act?: Actor;
      /** For tokens bound to a key (RFC 9449, section 6.2) or a certificate (RFC 8705, section 3.2). */
      readonly cnf?: Confirmation;
      /** RFC 9396, section 9.2. */
      readonly authorization_details?: readonly object[];
      /** Seconds since 1970: when the user authenticated (RFC 9470, section 6.2). */
      readonly auth_time?: number;
      /** The authentication class that the user reached (RFC 9470, section 6.2). */
      readonly acr?: string;
      readonly amr?: readonly string[];
    };

export interface IntrospectDependencies {
  readonly issuer: string;
  readonly findActiveToken: FindActiveToken;
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
  readonly scopeMatch: ScopeMatch;
  /** Whether responses have `auth_time`, `acr` and `amr`. Hydra's Go SDK rejects a response with unknown members. */
  readonly showsAuthentication: boolean;
}

const inactive = { active: false } as const;

/** The audience of the access tokens that a refresh token is exchanged for. */
const futureAudience = (details: GrantPayload | undefined, client: RegisteredClient, matches: ScopeMatch) => {
  const effective = details && effectiveGrant(details, client, matches);
  return effective ? [...effective.audience, ...effective.resources.keys()] : [];
};

/** Token introspection (RFC 7662). Costs what `findActiveToken` costs. */
export const createIntrospect = (deps: IntrospectDependencies) => {
  const { issuer, findActiveToken, subjects, scopeMatch, showsAuthentication } = deps;
  const subjectOf = ({ client, grant, subject }: ActiveToken) => {
    if (grant?.record.subject === undefined) return { sub: subject };
    // The forced subject is the one that the client of the grant sees. An exchanged token is another client's.
    const forced = grant.record.clientId === client.id ? grant.details.forcedSubject : undefined;
    const presented = subjects.present(client, subject, forced);
    return presented === subject ? { sub: subject } : { sub: subject, obfuscated_subject: presented };
  };

  const render = (token: ActiveToken): Introspection => {
    const { use, client, grant, scope, exp, iat, nbf, audience, ext, act, cnf } = token;
    const authorizationDetails = grant?.details.authorizationDetails;
    const { authTime, acr, amr } = (showsAuthentication && grant?.details) || {};
    return {
      active: true,
      scope,
      client_id: client.id,
      ...subjectOf(token),
      exp,
      iat,
      nbf,
      aud: use === 'refresh_token' ? futureAudience(grant?.details, client, scopeMatch) : audience,
      iss: issuer,
      token_type: tokenTypeOf(cnf),
      token_use: use,
      ...(Object.keys(ext).length > 0 ? { ext } : {}),
      ...(cnf ? { cnf } : {}),
      ...(authorizationDetails ? { authorization_details: authorizationDetails } : {}),
      ...(act ? { act } : {}),
      ...(authTime === undefined ? {} : { auth_time: authTime }),
      ...(acr ? { acr } : {}),
      ...(amr ? { amr } : {}),
    };
  };

  const covers = (scope: string, required: readonly string[]): boolean => {
    if (required.length === 0) return true;
    const granted = new Set(scope.split(' '));
    return required.every((one) => scopeMatch(granted, one));
  };

  /** @param options.scope space-delimited: a token without one of these scopes is reported as inactive */
  return (value: string, { scope = '' }: { readonly scope?: string } = {}): Promise<Introspection> =>
    findActiveToken(value).then((token) =>
      token && covers(token.scope, spaceDelimited(scope)) ? render(token) : inactive,
    );
};
