import type { FoundRecord, StorageAdapter } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { documentProblemIn } from '../clients/find-or-unread.ts';
import { isOfRegistration, type RegisteredClient, wasRegisteredAt } from '../clients/registration-id.ts';
import type { ScopeMatch } from '../clients/scope-match.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { Actor } from '../hooks/hook.ts';
import { spaceDelimited } from '../text/space-delimited.ts';
import {
  type AccessTokenJwts,
  type Bound,
  type Confirmation,
  confirmationOf,
  epochOfJwt,
  grantOfJwt,
} from './access-token.ts';
import { effectiveGrant, type GrantPayload } from './grant-details.ts';
import { type Epochal, isOfEpoch } from './token-record.ts';
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
      /** Who acts for the subject (RFC 8693, section 4.1). */
      readonly act?: Actor;
      /** Of tokens bound to a key (RFC 9449, section 6.2) or a certificate (RFC 8705, section 3.2). */
      readonly cnf?: Confirmation;
      /** RFC 9396, section 9.2. */
      readonly authorization_details?: readonly object[];
    };

const inactive = { active: false } as const;

interface TokenPayload extends Bound, Epochal {
  readonly exp: number;
  readonly iat: number;
  readonly scope?: string;
  readonly audience?: readonly string[];
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

/** What both forms of tokens say, and who they are for. */
interface Live {
  readonly client: ClientRecord;
  readonly grant: FoundRecord | undefined;
  /** The subject of a token without a grant. */
  readonly subject: string;
  readonly scope: string;
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly aud: readonly string[];
  readonly tokenUse: 'access_token' | 'refresh_token';
  /** Of a token without a grant: a grant has all of it, also what a JWT does not mirror. */
  readonly ext: Readonly<Record<string, unknown>> | undefined;
  readonly act: Actor | undefined;
  readonly cnf: Confirmation | undefined;
}

/** With the payload of the token's grant, parsed once for a response; empty for a token without a grant. */
interface Answering extends Live {
  readonly details: Partial<GrantPayload>;
}

const typeOf = (cnf: Confirmation | undefined): 'Bearer' | 'DPoP' => (cnf && 'jkt' in cnf ? 'DPoP' : 'Bearer');

const extOf = ({ grant, details, ext }: Answering): { ext?: Readonly<Record<string, unknown>> } => {
  const extra = (grant ? details.accessToken : ext) ?? {};
  return Object.keys(extra).length > 0 ? { ext: extra } : {};
};

const detailsOf = ({ details }: Answering): { authorization_details?: readonly object[] } => {
  const { authorizationDetails } = details;
  return authorizationDetails ? { authorization_details: authorizationDetails } : {};
};

/** The audience of the access tokens that a refresh token is exchanged for. */
const audienceIn = (
  grant: FoundRecord | undefined,
  client: RegisteredClient,
  matches: ScopeMatch,
): readonly string[] => {
  const live = grant && effectiveGrant(JSON.parse(grant.payload) as GrantPayload, client, matches);
  return live ? [...live.audience, ...live.resources.keys()] : [];
};

/** Answers about tokens in one round trip at most: none for a JWT of a client's own, or a value that is none of ours. */
export const createIntrospect = (deps: IntrospectDependencies) => {
  const { issuer, adapter, clients, subjects, jwts, scopeMatch } = deps;

  /** A deleted client has no tokens. A client that is registered again under its id has none of the former client's. */
  const findClient = async (
    clientId: string,
    { iat, epoch }: { readonly iat: number; readonly epoch?: Epochal },
  ): Promise<ClientRecord | undefined> => {
    const client = await clients.find(clientId);
    if (client === undefined || !wasRegisteredAt(client, iat)) return undefined;
    return epoch === undefined || isOfEpoch(client, epoch) ? client : undefined;
  };

  /** The client whose grant a token carries: another client than the token's if it was exchanged. Undefined once deleted. */
  const ownerOf = async (grant: FoundRecord | undefined, client: ClientRecord): Promise<ClientRecord | undefined> =>
    grant?.clientId === undefined || grant.clientId === client.id ? client : clients.find(grant.clientId);

  const subjectOf = ({ client, grant, details, subject: fallback }: Answering) => {
    const subject = grant?.subject;
    if (subject === undefined) return { sub: fallback };
    // What was forced is the name that the client of the grant has for them, and no other.
    const forced = grant?.clientId === client.id ? details.forcedSubject : undefined;
    const presented = subjects.present(client, subject, forced);
    return presented === subject ? { sub: subject } : { sub: subject, obfuscated_subject: presented };
  };

  const render = (live: Answering): Introspection => ({
    active: true,
    scope: live.scope,
    client_id: live.client.id,
    ...subjectOf(live),
    exp: live.exp,
    iat: live.iat,
    nbf: live.nbf,
    aud: live.aud,
    iss: issuer,
    token_type: typeOf(live.cnf),
    token_use: live.tokenUse,
    ...extOf(live),
    ...(live.cnf ? { cnf: live.cnf } : {}),
    ...detailsOf(live),
    ...(live.act ? { act: live.act } : {}),
  });

  /** A token is inactive once the client of its grant was deleted or registered again. */
  const answer = (live: Live, owner: ClientRecord | undefined): Introspection => {
    const { grant } = live;
    if (grant === undefined) return render({ ...live, details: {} });
    const details = JSON.parse(grant.payload) as GrantPayload;
    return owner && isOfRegistration(owner, details) ? render({ ...live, details }) : inactive;
  };

  const covers = (scope: string, required: readonly string[]): boolean => {
    if (required.length === 0) return true;
    const granted = new Set(scope.split(' '));
    return required.every((one) => scopeMatch(granted, one));
  };

  const opaque = async (keys: TokenKeys, required: readonly string[]): Promise<Introspection> => {
    const [token, grant] = await adapter.read(keys.grant ? [keys.token, keys.grant] : [keys.token]);
    // A token is as alive as its grant: a revocation that missed its row still holds.
    if (token === undefined || token.consumedAt !== null || (keys.grant && grant === undefined)) return inactive;
    const payload = JSON.parse(token.payload) as TokenPayload;
    const { exp, iat, scope = '', audience: aud = [], generation, ext, act, ...bound } = payload;
    if (!covers(scope, required)) return inactive;
    const isRefreshToken = keys.kind === 'refresh_token';
    const clientId = token.clientId ?? '';
    const client = await findClient(clientId, { iat, epoch: isRefreshToken ? undefined : { generation } });
    if (client === undefined) return inactive;
    const subject = token.subject ?? clientId;
    const tokenUse = isRefreshToken ? 'refresh_token' : 'access_token';
    const granted = isRefreshToken ? audienceIn(grant, client, scopeMatch) : aud;
    const cnf = confirmationOf(bound);
    const live = { client, grant, subject, scope, exp, iat, nbf: iat, aud: granted, tokenUse, ext, act, cnf } as const;
    return answer(live, await ownerOf(grant, client));
  };

  const structured = async (jwt: string, required: readonly string[]): Promise<Introspection> => {
    const claims = jwts.open(jwt);
    if (claims === undefined || !covers(claims.scope, required)) return inactive;
    const grantId = grantOfJwt(claims.jti);
    const [grant] = grantId === undefined ? [] : await adapter.read([grantKey(grantId)]);
    if (grantId !== undefined && grant === undefined) return inactive;
    const { scope, client_id: clientId, sub: subject, exp, iat, nbf, aud, ext, act, cnf } = claims;
    const client = await findClient(clientId, { iat, epoch: { generation: epochOfJwt(claims.jti) } });
    if (client === undefined) return inactive;
    const tokenUse = 'access_token';
    const live = { client, grant, subject, scope, exp, iat, nbf, aud, tokenUse, ext, act, cnf } as const;
    return answer(live, await ownerOf(grant, client));
  };

  return async (value: string, { scope = '' }: { readonly scope?: string } = {}): Promise<Introspection> => {
    const required = spaceDelimited(scope);
    const keys = tokenKeys(value);
    try {
      if (keys) return await opaque(keys, required);
      return value.startsWith('ey') ? await structured(value, required) : inactive;
    } catch (error) {
      // A client whose metadata document is gone is a deleted client; one whose document can't be fetched now is not.
      if (documentProblemIn(error) === 'invalid') return inactive;
      throw error;
    }
  };
};
