import type { RecordKey } from '@carnet/adapter-contract';
import type { KeyRing } from '../flow/key-ring.ts';
import { randomText } from '../random.ts';
import { recordId } from '../storage/record-id.ts';

/**
 * Token values say what they are (secret scanners find them) and carry the id of their grant, so that a token and its
 * grant are read in one round trip, and a token without a live grant is dead even if its own row survived.
 *
 *   carnet_at_<grant>.<secret>   access token        carnet_at_<secret>   access token of client_credentials
 *   carnet_rt_<grant>.<secret>   refresh token       carnet_ac_<JWE>      authorization code
 *   carnet_dc_<secret>           device code
 */
const prefixes = { access: 'carnet_at_', refresh: 'carnet_rt_' } as const;
export const codePrefix = 'carnet_ac_';

/** A JWT access token where oidc-provider takes opaque values only. Never leaves the process. */
const wrappedPrefix = 'carnet_jwt_';
export const wrapJwt = (jwt: string): string => wrappedPrefix + Buffer.from(jwt).toString('base64url');
/** The JWT that a value is or wraps, or nothing. */
export const jwtIn = (value: string): string | undefined => {
  if (value.startsWith('ey')) return value;
  return value.startsWith(wrappedPrefix)
    ? Buffer.from(value.slice(wrappedPrefix.length), 'base64url').toString()
    : undefined;
};

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

/** Who asks twice for the successor of a refresh token gets the same: it is derived from it, with a secret of that name. */
export const successorValue = (
  { grantId, value, secretName }: { readonly grantId: string; readonly value: string; readonly secretName?: string },
  keyRing: Pick<KeyRing, 'mac'>,
): string => refreshTokenValue(grantId, keyRing.mac('refresh_successor', value, secretName));

export const grantKey = (grantId: string): RecordKey => ({ kind: 'grant', id: recordId(grantId), grantId });

/** A device code carries nothing: what it stands for is found by its hash. */
export const deviceCodeValue = (): string => `carnet_dc_${randomSecret()}`;

/** What a client polls with for a person who is asked elsewhere. */
export const authRequestIdValue = (): string => `carnet_ar_${randomSecret()}`;

/** Where a token's record would be, or nothing when the value is none of ours: then the store is not asked. */
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
