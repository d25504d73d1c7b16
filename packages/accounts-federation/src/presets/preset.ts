import type { OidcProviderOptions } from '@carnet/accounts';
import type { Configuration, ServerMetadata } from 'openid-client';

/** The claims of an ID token, of userinfo, or of the provider's own API. */
export type RawClaims = Readonly<Record<string, unknown>>;

/** The differences between a provider and any other one. */
export interface Preset {
  /** The issuer whose metadata is discovered; undefined if the metadata is fixed. */
  issuerOf(options: OidcProviderOptions): string | undefined;
  /** The metadata of a provider without discovery. */
  readonly metadata?: ServerMetadata;
  readonly scopes: readonly string[];
  /** Parameters of the authorization request besides the usual ones. */
  parametersOf?(options: OidcProviderOptions): Readonly<Record<string, string>>;
  /** The name of the parameter with the login name, if there is one. */
  readonly loginHint?: 'login_hint' | 'login' | undefined;
  /** The values of `prompt` that it takes. Default: any. */
  readonly prompts?: readonly string[];
  /** Whether it takes `ui_locales`. */
  readonly takesLocales: boolean;
  /** Whether it issues ID tokens. */
  readonly isOpenId: boolean;
  /** Whether its ID tokens have the `nonce`. Default: true. */
  readonly hasNonce?: boolean;
  /** Whether the userinfo endpoint has claims that the ID token does not have. */
  readonly hasUserinfo: boolean;
  /** Whether it honours `max_age` and `prompt=login`, and proves it by `auth_time`. */
  readonly reauthenticates: boolean;
  /** The client secret is a JWT for this audience, signed with the private key of the configuration. */
  readonly secretAudience?: string;
  /** Reads the user from the provider's own API, where there is no ID token. */
  readUser?(configuration: Configuration, accessToken: string, options: OidcProviderOptions): Promise<RawClaims>;
  /** Claims in the parameters of the answer. They are not signed: the claims of the ID token override them. */
  claimsInAnswer?(parameters: URLSearchParams): RawClaims;
  /** The permanent id of the user at the provider. Undefined: the answer is refused. */
  subjectOf(claims: RawClaims): string | undefined;
  isEmailVerified(claims: RawClaims): boolean;
  /** Whether users of this tenant or organization may sign in. */
  isAllowed?(claims: RawClaims, options: OidcProviderOptions): boolean;
  /** Whether the answer leaves out a claim that the user may have: such a claim is unknown, not absent. */
  isUnknown?(claim: string, claims: RawClaims): boolean;
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Some providers send booleans as text. */
export const isTrue = (value: unknown): boolean => value === true || value === 'true';

export const isObject = (value: unknown): value is RawClaims => typeof value === 'object' && value !== null;
