import type { Api, Carnet } from '@carnet/provider';

/**
 * What the console calls: the functions of Carnet, in process or by the admin API. Members that are `undefined` are not
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
  > {
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
  /** The effective configuration with the source of each value, and its problems. Secrets are replaced. */
  readonly configuration?: () => Promise<EffectiveConfiguration>;
  /** What `carnet doctor` finds. */
  readonly checks?: () => Promise<readonly Check[]>;
}

/** `claims` is empty for a user who may not sign in. */
export interface CurrentUser {
  readonly claims: Readonly<Record<string, unknown>>;
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

/** One check of `carnet doctor`. */
export interface Check {
  readonly name: string;
  readonly result: 'ok' | 'warning' | 'problem';
  readonly message: string;
}
