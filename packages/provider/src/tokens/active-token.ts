import type { FoundRecord, RecordKey } from '@carnet/adapter-contract';
import { z } from 'zod';
import type { ClientRecord } from '../clients/client-record.ts';
import { documentProblemIn } from '../clients/find-or-unread.ts';
import { isOfRegistration, tokenEpochOf, wasRegisteredAt } from '../clients/registration-id.ts';
import type { Actor } from '../hooks/hook.ts';
import { members, payloadReader, strings } from '../storage/payload.ts';
import {
  type AccessTokenJwts,
  boundShape,
  type Confirmation,
  confirmationOf,
  epochOfJwt,
  grantOfJwt,
  type OpenedAccessToken,
} from './access-token.ts';
import { type GrantPayload, readGrant } from './grant-details.ts';
import { grantKey, type TokenKeys, tokenKeys } from './token-value.ts';

/** An access token, opaque or JWT, or a refresh token, that is authentic and not revoked. */
export interface ActiveToken {
  readonly use: 'access_token' | 'refresh_token';
  readonly client: ClientRecord;
  /** Absent for a token that a client has for itself. */
  readonly grant: { readonly record: FoundRecord; readonly details: GrantPayload } | undefined;
  /** The subject that the login app accepted; for a token without a grant, its `sub`. */
  readonly subject: string;
  readonly scope: string;
  /** Empty for a refresh token. */
  readonly audience: readonly string[];
  /** The resource that an opaque access token is for (RFC 8707). */
  readonly resource?: string;
  /** Seconds since 1970. */
  readonly exp: number;
  /** Seconds since 1970. */
  readonly iat: number;
  /** Seconds since 1970. */
  readonly nbf: number;
  /** The extra claims that the resource server sees. */
  readonly ext: Readonly<Record<string, unknown>>;
  readonly act: Actor | undefined;
  readonly cnf: Confirmation | undefined;
}

/**
 * Finds an active token by its value.
 *
 * One round trip at most: none for a JWT without a grant, or for a value that Carnet did not issue. The store checks
 * the expiry of opaque tokens. A refresh token that was used is not active.
 *
 * @throws {CarnetError} `storage_unavailable`, or `client_document_unavailable`: then it is unknown whether the token is active
 */
export type FindActiveToken = (value: string) => Promise<ActiveToken | undefined>;

export interface ActiveTokenDependencies {
  readonly read: (keys: readonly RecordKey[]) => Promise<readonly (FoundRecord | undefined)[]>;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly jwts: Pick<AccessTokenJwts, 'open'>;
}

const actor = z.object({
  sub: z.string(),
  get act() {
    return actor.optional();
  },
});

const readToken = payloadReader(
  z.object({
    ...boundShape,
    exp: z.number(),
    iat: z.number(),
    scope: z.string().optional(),
    audience: strings.optional(),
    aud: z.string().optional(),
    /** The epoch. A number if the client had no registration id. */
    generation: z.union([z.string(), z.number()]).optional(),
    ext: members.optional(),
    act: actor.optional(),
  }),
);

/** A token before its client and its grant are checked. */
interface FoundToken {
  readonly token: Omit<ActiveToken, 'client' | 'grant'>;
  readonly clientId: string;
  readonly grant: FoundRecord | undefined;
  /** Absent for a refresh token: a new epoch of the client ends access tokens only. */
  readonly epoch: string | undefined;
}

const foundOpaque = (
  { kind, grant: key }: TokenKeys,
  [token, grant]: readonly (FoundRecord | undefined)[],
): FoundToken | undefined => {
  // A token is active only while its grant exists: a revocation that missed the token's own record is effective.
  if (token === undefined || token.consumedAt !== null || (key && grant === undefined)) return undefined;
  const payload = readToken(token);
  const { exp, iat, scope = '', audience = [], aud: resource, generation = '', ext = {}, act } = payload;
  const { clientId = '', subject = clientId } = token;
  const common = { subject, scope, exp, iat, nbf: iat, ext, act, cnf: confirmationOf(payload) };
  return kind === 'refresh_token'
    ? { token: { ...common, use: 'refresh_token', audience: [] }, clientId, grant, epoch: undefined }
    : { token: { ...common, use: 'access_token', audience, resource }, clientId, grant, epoch: String(generation) };
};

const foundJwt = (claims: OpenedAccessToken, grant: FoundRecord | undefined): FoundToken | undefined => {
  if (grant === undefined && grantOfJwt(claims.jti) !== undefined) return undefined;
  const { client_id: clientId, sub: subject, aud: audience, scope, exp, iat, nbf, ext, act, cnf } = claims;
  const token = { use: 'access_token', subject, scope, audience, exp, iat, nbf, ext, act, cnf } as const;
  return { token, clientId, grant, epoch: epochOfJwt(claims.jti) };
};

/** Whether a token was issued to this registration of the client, and in its current epoch. */
const isCurrent = (client: ClientRecord, { token, epoch }: FoundToken): boolean =>
  wasRegisteredAt(client, token.iat) && (epoch === undefined || epoch === tokenEpochOf(client));

const isOwnedBy = (client: ClientRecord, { clientId }: FoundRecord): boolean =>
  clientId === undefined || clientId === client.id;

/**
 * Where a token is found: by the keys of its records, or by the claims of an authentic JWT and the key of its grant.
 */
export type Lookup =
  | { readonly keys: TokenKeys; readonly reads: readonly RecordKey[] }
  | { readonly keys?: undefined; readonly claims: OpenedAccessToken; readonly reads: readonly RecordKey[] };

/** Undefined for a value that Carnet did not issue. */
export const createLookUp =
  ({ open }: Pick<AccessTokenJwts, 'open'>) =>
  (value: string): Lookup | undefined => {
    const keys = tokenKeys(value);
    if (keys) return { keys, reads: keys.grant ? [keys.token, keys.grant] : [keys.token] };
    const claims = value.startsWith('ey') ? open(value) : undefined;
    const grantId = claims && grantOfJwt(claims.jti);
    return claims && { claims, reads: grantId === undefined ? [] : [grantKey(grantId)] };
  };

const absent = Promise.resolve(undefined);

export const createFindActiveToken = ({ read, clients, jwts }: ActiveTokenDependencies): FindActiveToken => {
  const lookUp = createLookUp(jwts);

  // One async function: each further one would add promises to every introspection.
  const find = async (lookup: Lookup): Promise<ActiveToken | undefined> => {
    const records = lookup.reads.length === 0 ? [] : await read(lookup.reads);
    const found = lookup.keys ? foundOpaque(lookup.keys, records) : foundJwt(lookup.claims, records[0]);
    if (found === undefined) return undefined;
    const { token, clientId, grant: record } = found;
    try {
      const client = await clients.find(clientId);
      // A deleted client has no tokens.
      if (client === undefined || !isCurrent(client, found)) return undefined;
      if (record === undefined) return { ...token, client, grant: undefined };
      const details = readGrant(record);
      // An exchanged token has the grant of another client, and is inactive once that was deleted or registered again.
      const owner = isOwnedBy(client, record) ? client : await clients.find(record.clientId ?? '');
      if (owner === undefined || !isOfRegistration(owner, details)) return undefined;
      const subject = record.subject ?? token.subject;
      return { ...token, client, subject, ext: details.accessToken ?? {}, grant: { record, details } };
    } catch (error) {
      // A client whose metadata document is gone is a deleted client; one whose document can't be fetched now is not.
      if (documentProblemIn(error) === 'invalid') return undefined;
      throw error;
    }
  };

  return (value) => {
    const lookup = lookUp(value);
    return lookup === undefined ? absent : find(lookup);
  };
};
