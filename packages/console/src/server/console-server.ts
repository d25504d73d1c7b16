import type { Api, Carnet } from '@carnet/provider';

/** The functions that need the configuration of the program that opens the provider. `carnet serve` has them. */
export interface LocalFunctions {
  /** The effective configuration with the source of each value, and its problems. Secrets are replaced. */
  readonly configuration?: (() => Promise<EffectiveConfiguration>) | undefined;
  /** Examines a change of the configuration. Nothing is changed, and no file is read that the text names. */
  readonly examineConfiguration?: ((text: string, scope: ChangeScope) => Promise<ExaminedConfiguration>) | undefined;
  /** The signing keys with their states. Undefined: the page shows them without times, and derives who signs from their order. */
  readonly signingKeys?: (() => Promise<SigningKeys>) | undefined;
  /**
   * Fetches the keys at the `jwks_uri` of a client, with the limits of `outbound`. Undefined: the console does not check the
   * signatures of such a client.
   */
  readonly fetchClientKeys?: ((url: string) => Promise<FetchedKeys>) | undefined;
  /** The findings of `carnet doctor`. */
  readonly checks?: (() => Promise<readonly Check[]>) | undefined;
}

/**
 * The functions of Carnet that the console calls, in process or by the admin API. Members that are `undefined` are not
 * configured, or not available that way; their pages say so.
 */
export interface ConsoleServer
  extends Pick<
      Api,
      | 'clients'
      | 'tokens'
      | 'sessions'
      | 'consents'
      | 'keys'
      | 'trustedIssuers'
      | 'registrationTokens'
      | 'users'
      | 'groups'
      | 'events'
    >,
    LocalFunctions {
  /** The issuer URL. */
  readonly issuer: string;
  /** Sends a request to the public endpoints. */
  readonly fetch: Carnet['fetch'];
  /** The user as the directories know it now. Undefined without `accounts`: the pages that sign users in are the only source. */
  readonly account?: ((subject: string) => Promise<CurrentUser>) | undefined;
  /** Resolves when the store answers. */
  readonly ready: Carnet['ready'];
  /** The metrics of all processes that serve, in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
}

/** The JSON document at a URL, or why there is none: a status, or the reason of the outbound client. */
export type FetchedKeys =
  | { readonly type: 'document'; readonly content: unknown }
  | { readonly type: 'problem'; readonly reason: string };

/** `claims` is empty for a user who may not sign in. */
export interface CurrentUser {
  readonly claims: Readonly<Record<string, unknown>>;
  /** The name of the directory that has the user. Undefined for a user who may not sign in. */
  readonly directory?: string | undefined;
  /** Sign-ins from before have ended. */
  readonly sessionsEndedAt?: Date | undefined;
  /** A sign-in with another version has ended. */
  readonly passwordVersion?: string | undefined;
}

export interface EffectiveConfiguration {
  readonly settings: readonly Setting[];
  readonly warnings: readonly string[];
}

export interface Setting {
  /** With dots, such as `ttl.accessToken`. */
  readonly key: string;
  /** As JSON. Secrets are replaced. */
  readonly value: string;
  /** Where the value comes from: `default`, `file`, or the name of the environment variable or flag. */
  readonly source: string;
  readonly description?: string;
}

/** `keys`: the text has some keys, and the others stay. `whole`: the text is the whole file. */
export type ChangeScope = 'keys' | 'whole';

export interface ExaminedConfiguration {
  /** Why the configuration would be refused at the start. Empty: it would be accepted. */
  readonly problems: readonly string[];
  /** The warnings that the present configuration does not have. */
  readonly warnings: readonly string[];
  /** In the order of the keys. Every change takes effect with the next start of a process. */
  readonly changes: readonly SettingChange[];
}

export interface SettingChange {
  readonly key: string;
  /** As JSON; empty: the key is not set. Secrets are replaced. */
  readonly before: string;
  readonly after: string;
  /** The concern besides a restart. */
  readonly concern?: ChangeConcern | undefined;
}

export type ChangeConcern = 'issuer' | 'secrets' | 'store' | 'keys' | 'subjects' | 'listener';

/** Where the signing keys are: of a file, its administrator changes them. */
export interface SigningKeys {
  readonly source: 'file' | 'store' | 'external';
  readonly keys: readonly SigningKeyState[];
  /** In seconds. Undefined for keys of a file, which have no schedule. */
  readonly schedule?: { readonly announced: number; readonly active: number; readonly retired: number } | undefined;
}

export interface SigningKeyState {
  readonly kid: string;
  readonly alg: string;
  /** `published`: a key in a file that verifies, but does not sign. */
  readonly state: 'announced' | 'active' | 'retired' | 'gone' | 'published';
  readonly createdAt?: Date | undefined;
  /** The time from which the key signs. */
  readonly activeAt?: Date | undefined;
  /** The end of the state, if it is known. */
  readonly until?: Date | undefined;
  /** The kind of service that holds the key, and its name for the key version. */
  readonly service?: string | undefined;
  readonly handle?: string | undefined;
}

/** One check of `carnet doctor`. */
export interface Check {
  readonly name: string;
  readonly result: 'ok' | 'warning' | 'problem';
  readonly message: string;
}
