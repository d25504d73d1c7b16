import type { ClientRecord } from '../clients/client-record.ts';
import { grantTypes } from '../clients/grant-types.ts';
import { parseGoDuration } from '../text/go-duration.ts';

/** The default lifetimes, in seconds. */
export interface Lifetimes {
  readonly authenticationSession: number;
  readonly accessToken: number;
  readonly refreshToken: number;
  readonly idToken: number;
  readonly authCode: number;
}

/** The prefixes of the client fields that hold lifetimes (`authorization_code_grant_access_token_lifespan` and so on). */
const prefixOf: ReadonlyMap<string, string> = new Map<string, string>([
  [grantTypes.authorizationCode, 'authorization_code_grant'],
  [grantTypes.implicit, 'implicit_grant'],
  [grantTypes.refreshToken, 'refresh_token_grant'],
  [grantTypes.clientCredentials, 'client_credentials_grant'],
  ['device_code', 'device_authorization_grant'],
  [grantTypes.deviceCode, 'device_authorization_grant'],
  [grantTypes.jwtBearer, 'jwt_bearer_grant'],
]);

/**
 * The lifetime of a token, in seconds: the one that the client registered for the grant type, or the default.
 *
 * @param gty the grant types that led to the token, space-delimited. The last one decides.
 */
export const lifetimeOf = (
  record: ClientRecord,
  gty: string | undefined,
  token: 'access_token' | 'refresh_token' | 'id_token',
  defaultSeconds: number,
): number => {
  const prefix = prefixOf.get(gty?.split(' ').at(-1) ?? '');
  const lifespans = record.metadata as unknown as Readonly<Record<string, unknown>>;
  const text = prefix && lifespans[`${prefix}_${token}_lifespan`];
  const seconds = typeof text === 'string' ? parseGoDuration(text) : undefined;
  return seconds !== undefined && seconds > 0 ? seconds : defaultSeconds;
};

interface TokenOfClient {
  readonly client: ClientRecord;
  readonly gty: string | undefined;
  /** The resource that the token is for (RFC 8707). */
  readonly resource?: { readonly accessTokenTtl?: number };
}

/** The lifetime of an access token, in seconds: that of its resource, of its client, or the default, in this order. */
export const accessTokenLifetime = (
  { client, gty, resource }: TokenOfClient,
  ttl: Pick<Lifetimes, 'accessToken'>,
): number => resource?.accessTokenTtl ?? lifetimeOf(client, gty, 'access_token', ttl.accessToken);
