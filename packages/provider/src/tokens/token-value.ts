import type { FoundRecord, RecordKey, StoredRecord } from '@carnet/adapter-contract';
import type { KeyRing } from '../flow/key-ring.ts';
import { randomText } from '../random.ts';
import { recordId } from '../storage/record-id.ts';

/**
 * A token value begins with its type, so that secret scanners find it, and contains the id of its grant, so that token
 * and grant are read in one round trip. A token whose grant is gone is invalid even if its own record still exists.
 *
 *   carnet_at_<grant>.<secret>   access token        carnet_at_<secret>   access token of client_credentials
 *   carnet_rt_<grant>.<secret>   refresh token       carnet_ac_<JWE>      authorization code
 *   carnet_dc_<secret>           device code         carnet_ar_<secret>   auth_req_id (CIBA)
 */
const prefixes = { access: 'carnet_at_', refresh: 'carnet_rt_' } as const;
export const codePrefix = 'carnet_ac_';

const secretPattern = '[A-Za-z0-9_-]{43}';
const grantPattern = '[A-Za-z0-9_-]{22}';
const shapes = [
  { kind: 'access_token', pattern: new RegExp(`^${prefixes.access}(${grantPattern})\\.${secretPattern}$`) },
  { kind: 'refresh_token', pattern: new RegExp(`^${prefixes.refresh}(${grantPattern})\\.${secretPattern}$`) },
  { kind: 'client_credentials', pattern: new RegExp(`^${prefixes.access}${secretPattern}$`) },
] as const;

export type TokenKind = (typeof shapes)[number]['kind'];

export interface TokenKeys {
  readonly kind: TokenKind;
  readonly token: RecordKey;
  readonly grant?: RecordKey;
}

/** 256 random bits, base64url. */
const randomSecret = (): string => randomText(32);

export const accessTokenValue = (grantId: string | undefined): string =>
  grantId === undefined ? prefixes.access + randomSecret() : `${prefixes.access}${grantId}.${randomSecret()}`;

export const refreshTokenValue = (grantId: string, secret: string = randomSecret()): string =>
  `${prefixes.refresh}${grantId}.${secret}`;

/**
 * The next refresh token, derived from its predecessor and a named secret: every use of the predecessor gets the same.
 */
export const successorValue = (
  { grantId, value, secretName }: { readonly grantId: string; readonly value: string; readonly secretName?: string },
  keyRing: Pick<KeyRing, 'mac'>,
): string => refreshTokenValue(grantId, keyRing.mac('refresh_successor', value, secretName));

export const grantKey = (grantId: string): RecordKey => ({ kind: 'grant', id: recordId(grantId), grantId });

/** A new device code. The record of its request is found by its hash. */
export const deviceCodeValue = (): string => `carnet_dc_${randomSecret()}`;

/** A new `auth_req_id` (CIBA): the client polls with it. */
export const authRequestIdValue = (): string => `carnet_ar_${randomSecret()}`;

/** The keys of a token's record and its grant. Undefined for a value of another shape: then the store is not read. */
export const tokenKeys = (value: string): TokenKeys | undefined => {
  for (const { kind, pattern } of shapes) {
    const match = pattern.exec(value);
    if (match === null) continue;
    const grantId = match[1];
    return grantId === undefined
      ? { kind, token: { kind, id: recordId(value) } }
      : { kind, token: { kind, id: recordId(value), grantId }, grant: grantKey(grantId) };
  }
  return undefined;
};

/** One of so many rotated refresh tokens of a grant keeps its record until it expires. */
const keptEvery = 16;

/**
 * Whether `findLaterToken` proves a rotated refresh token whose record is gone: fewer than 16 successors, all derived with
 * one secret, lead from it to a record.
 */
export const isProvable = (
  { rotations = 0, successorSecret }: { readonly rotations?: number; readonly successorSecret?: string },
  { secretName }: Pick<KeyRing, 'secretName'>,
): boolean => successorSecret === secretName && (rotations + 1) % keptEvery !== 0;

/**
 * Proves that a value was a refresh token of a grant, by a record of a later one: only the system secrets derive its
 * successors. A value that merely contains the id of a grant proves nothing. Takes one read, or none without a grant.
 */
export const findLaterToken = async (
  value: string,
  grant: FoundRecord | undefined,
  keyRing: Pick<KeyRing, 'mac' | 'secretNames'>,
  read: (keys: readonly RecordKey[]) => Promise<readonly (FoundRecord | undefined)[]>,
): Promise<FoundRecord | undefined> => {
  const { kind, grant: { grantId } = {} } = tokenKeys(value) ?? {};
  if (kind !== 'refresh_token' || grantId === undefined || grant === undefined) return undefined;
  const keys = keyRing.secretNames.flatMap((secretName) => {
    let later = value;
    return Array.from({ length: keptEvery - 1 }).flatMap(() => {
      later = successorValue({ grantId, value: later, secretName }, keyRing);
      return tokenKeys(later)?.token ?? [];
    });
  });
  return (await read(keys)).find((found) => found !== undefined);
};

interface TokenMembers {
  readonly clientId: string;
  /** The user, as the login app knows them. */
  readonly accountId: string | undefined;
  /** Seconds since 1970. */
  readonly exp: number;
}

/** The record to store for a token. The other members are its payload, by the names of oidc-provider's token model. */
export const tokenRecord = <Members extends TokenMembers>(
  value: string,
  { clientId, accountId, ...payload }: Members,
): StoredRecord => {
  const keys = tokenKeys(value);
  if (keys === undefined) throw new TypeError('token value of an unknown shape');
  const expiresAt = new Date(payload.exp * 1000);
  return { ...keys.token, payload: JSON.stringify(payload), expiresAt, clientId, subject: accountId };
};
