import type { FoundRecord, StorageAdapter } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { isOfRegistration, tokenGenerationOf } from '../clients/registration.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import { words } from '../flow/words.ts';
import {
  type AccessTokenJwts,
  type Bound,
  type Confirmation,
  confirmationOf,
  generationOfJwt,
  grantOfJwt,
} from './access-token.ts';
import type { GrantPayload } from './code-and-grant.ts';
import type { Actor } from './hooks/hook.ts';
import { grantKey, type TokenKeys, tokenKeys } from './token-value.ts';

/** What introspection answers (RFC 7662, section 2.2), with the members Hydra's SDKs know and no others. */
export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      readonly client_id: string;
      /** The subject itself, as the login app knows it. */
      readonly sub: string;
      /** What the client knows the subject by, if that is something else. */
      readonly obfuscated_subject?: string;
      readonly exp: number;
      readonly iat: number;
      readonly nbf: number;
      readonly aud: readonly string[];
      readonly iss: string;
      readonly token_type: 'Bearer' | 'DPoP';
      readonly token_use: 'access_token' | 'refresh_token';
      readonly ext?: Readonly<Record<string, unknown>>;
      /** Of tokens bound to a key (RFC 9449, section 6.2) or a certificate (RFC 8705, section 3.2). */
      /** Who acts for the subject (RFC 8693, section 4.1). */
      readonly act?: Actor;
      readonly cnf?: Confirmation;
      /** RFC 9396, section 9.2. */
      readonly authorization_details?: readonly object[];
    };

const inactive = { active: false } as const;

interface TokenPayload extends Bound {
  readonly exp: number;
  readonly iat: number;
  readonly scope?: string;
  readonly audience?: readonly string[];
  /** Absent of refresh tokens, and while it is zero. */
  readonly generation?: number;
  /** Of tokens without a grant. */
  readonly ext?: Readonly<Record<string, unknown>>;
  readonly act?: Actor;
}

export interface IntrospectDependencies {
  readonly issuer: string;
  readonly adapter: Pick<StorageAdapter, 'read'>;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
  readonly jwts: AccessTokenJwts;
  readonly scopeMatch: ScopeMatch;
}

const payloadOf = (grant: FoundRecord | undefined): Partial<GrantPayload> =>
  grant ? (JSON.parse(grant.payload) as GrantPayload) : {};

const typeOf = (cnf: Confirmation | undefined): 'Bearer' | 'DPoP' => (cnf && 'jkt' in cnf ? 'DPoP' : 'Bearer');

const isEmpty = (ext: object = {}): boolean => Object.keys(ext).length === 0;

const extOf = (grant: FoundRecord | undefined): { ext?: Readonly<Record<string, unknown>> } => {
  const { accessToken } = payloadOf(grant);
  return accessToken && Object.keys(accessToken).length > 0 ? { ext: accessToken } : {};
};

const detailsOf = (grant: FoundRecord | undefined): { authorization_details?: readonly object[] } => {
  const { authorizationDetails } = payloadOf(grant);
  return authorizationDetails ? { authorization_details: authorizationDetails } : {};
};

/** Answers about tokens in one round trip at most: none for a JWT of a client's own, or a value that is none of ours. */
export const createIntrospect = (deps: IntrospectDependencies) => {
  const { issuer, adapter, clients, subjects, jwts, scopeMatch } = deps;

  /** A deleted client has no tokens, and one registered anew under its id has not those. Nor has it those taken back. */
  const findClient = async (
    clientId: string,
    { iat, generation }: { readonly iat: number; readonly generation?: number },
  ): Promise<ClientRecord | undefined> => {
    const client = await clients.find(clientId);
    if (client === undefined || !isOfRegistration(client, iat)) return undefined;
    return generation === undefined || generation === tokenGenerationOf(client) ? client : undefined;
  };

  const subjectOf = (client: ClientRecord, { grant, fallback }: { grant?: FoundRecord; fallback: string }) => {
    const subject = grant?.subject;
    if (subject === undefined) return { sub: fallback };
    const presented = subjects.present(client, subject, payloadOf(grant).forcedSubject);
    return presented === subject ? { sub: subject } : { sub: subject, obfuscated_subject: presented };
  };

  const covers = (scope: string, required: readonly string[]): boolean => {
    const granted = new Set(scope.split(' '));
    return required.every((one) => scopeMatch(granted, one));
  };

  const opaque = async (keys: TokenKeys, required: readonly string[]): Promise<Introspection> => {
    const [token, grant] = await adapter.read(keys.grant ? [keys.token, keys.grant] : [keys.token]);
    // A token is as alive as its grant: a revocation that missed its row still holds.
    if (token === undefined || token.consumedAt !== null || (keys.grant && grant === undefined)) return inactive;
    const {
      exp,
      iat,
      scope = '',
      audience = [],
      generation = 0,
      ext,
      act,
      ...bound
    } = JSON.parse(token.payload) as TokenPayload;
    const cnf = confirmationOf(bound);
    const clientId = token.clientId ?? '';
    if (!covers(scope, required)) return inactive;
    const isRefreshToken = keys.kind === 'refresh_token';
    const client = await findClient(clientId, { iat, generation: isRefreshToken ? undefined : generation });
    if (client === undefined) return inactive;
    return {
      active: true,
      scope,
      client_id: clientId,
      ...subjectOf(client, { grant, fallback: token.subject ?? clientId }),
      exp,
      iat,
      nbf: iat,
      aud: audience,
      iss: issuer,
      token_type: typeOf(cnf),
      token_use: isRefreshToken ? 'refresh_token' : 'access_token',
      ...(grant ? extOf(grant) : isEmpty(ext) ? {} : { ext }),
      ...(cnf ? { cnf } : {}),
      ...detailsOf(grant),
      ...(act ? { act } : {}),
    };
  };

  const structured = async (jwt: string, required: readonly string[]): Promise<Introspection> => {
    const claims = jwts.open(jwt);
    if (claims === undefined || !covers(claims.scope, required)) return inactive;
    const grantId = grantOfJwt(claims.jti);
    const [grant] = grantId === undefined ? [] : await adapter.read([grantKey(grantId)]);
    if (grantId !== undefined && grant === undefined) return inactive;
    const { scope, client_id, sub, exp, iat, nbf, aud, iss, ext, cnf, act } = claims;
    const client = await findClient(client_id, { iat, generation: generationOfJwt(claims.jti) });
    if (client === undefined) return inactive;
    // Where `ext` is not mirrored the grant still has all of it.
    const extra = grant ? extOf(grant) : isEmpty(ext) ? {} : { ext };
    return {
      active: true,
      scope,
      client_id,
      ...subjectOf(client, { grant, fallback: sub }),
      exp,
      iat,
      nbf,
      aud,
      iss,
      token_type: typeOf(cnf),
      token_use: 'access_token',
      ...extra,
      ...(cnf ? { cnf } : {}),
      ...detailsOf(grant),
      ...(act ? { act } : {}),
    };
  };

  return async (value: string, { scope = '' }: { readonly scope?: string } = {}): Promise<Introspection> => {
    const required = words(scope);
    const keys = tokenKeys(value);
    if (keys) return opaque(keys, required);
    return value.startsWith('ey') ? structured(value, required) : inactive;
  };
};
