import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StorageAdapter, Swept } from '@carnet/adapter-contract';
import type { KeyWrapper, RemoteSigner } from '@carnet/signer-contract';
import type { Api } from '../api.ts';
import type { Hooks } from '../hooks/hook.ts';
import type { ConnectHandler, koaMiddleware } from '../http/public-handler.ts';
import type { WebHandler } from '../http/web-handler.ts';
import type { RegistrationHook } from '../registration/policy.ts';
import type { EndedSession } from '../sessions/deliveries.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { MetricsSnapshot } from '../telemetry/metrics.ts';
import type { Shared } from './shared.ts';

/**
 * The objects and callbacks that a program passes to `createProvider` beside the configuration. All are optional.
 *
 * @example
 * ```ts
 * const carnet = await createProvider(config, {
 *   adapter: await openAdapter({ pool }),
 *   registrationPolicy: ({ metadata }) => (metadata.client_name ? undefined : 'client_name is required'),
 *   onSessionEnd: ({ sid }) => appSessions.end(sid),
 * });
 * ```
 */
export interface CreateProviderOptions {
  /** Used instead of `storage.default`. The caller closes the adapter. */
  readonly adapter?: StorageAdapter;
  /**
   * Services that hold the signing keys, beside those of `keys.signer`. The caller closes them. They are used with
   * `keys.source: external`, which is the default if you pass signers.
   */
  readonly signers?: readonly RemoteSigner[];
  /** Encrypts the key that encrypts the signing keys in the store: used for `keys.sealedBy`. The caller closes it. */
  readonly keyWrapper?: KeyWrapper;
  readonly logger?: Logger;
  /** Called before a client is registered or updated. Return a reason to refuse it, or undefined. */
  readonly registrationPolicy?: RegistrationHook;
  /**
   * Called by one process when a session has ended. Use it to end dependent sessions. It is not called if the process
   * stops first. Errors are logged.
   */
  readonly onSessionEnd?: (session: EndedSession) => void | Promise<void>;
  /** Called before tokens are issued. A hook may change claims or refuse the request. */
  readonly hooks?: Hooks;
  /** The resources that all providers of this process share, by `openShared`. The caller closes them after the providers. */
  readonly shared?: Shared;
  /** Which of several issuers in one store it is. Undefined: the first issuer. */
  readonly issuerName?: string;
  /** The number of clients that may be registered in the store. Default: no limit. */
  readonly maxClients?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /**
   * Returns the `metrics()` of every process that serves, including this one. Default: this process alone.
   * `carnet serve --workers` sets it.
   */
  readonly gatherMetrics?: () => Promise<readonly MetricsSnapshot[]>;
  /**
   * Called with each new password of a user in the accounts database, after the other rules have accepted it and before
   * `accounts.passwords.check`. To refuse the password, return the reason in one sentence; otherwise return undefined.
   * If the function throws, Carnet logs the error and does not refuse the password.
   */
  readonly passwordCheck?: (password: string) => string | undefined | Promise<string | undefined>;
  /** Shows an email in dev mode, with `accounts.mail.url: 'log:'`. Default: on the standard output. */
  readonly showMail?: (text: string) => void;
  /**
   * Purges the user caches of all other processes that serve, by their `purgeUserCache()`, and returns how many users they
   * removed. Default: there are no other processes. `carnet serve --workers` sets it.
   */
  readonly purgeElsewhere?: (which: CachePurge) => Promise<number>;
  /** Ends the sessions of a user at other issuers that have the same users, and revokes the tokens there. `createIssuers` sets it. */
  readonly revokeElsewhere?: (subject: string, withTokens: boolean) => Promise<unknown>;
}

/** The users to remove from the user cache: of a directory, with a login name, or all. */
export interface CachePurge {
  readonly directory?: string;
  readonly login?: string;
}

/** An OpenID Provider, ready to be mounted. */
export interface Carnet extends Api {
  /** The public endpoints, for node:http and Express: other paths are left to `next`. */
  callback(): ConnectHandler;
  /** The public endpoints, for Koa: other paths are left to the next middleware. */
  koa(): ReturnType<typeof koaMiddleware>;
  /**
   * The public endpoints, for Web Requests: Hono, route handlers of Next.js and others. Answers other paths with 404.
   *
   * @throws CarnetError `server_error`: the configuration needs what a Web Request does not have, such as TLS client
   * certificates. The message says what to do. An aborted request throws the reason of its signal.
   */
  fetch: WebHandler;
  /** For a separate listener: the public endpoints, `/health/alive`, `/health/ready` and `/version`; otherwise 404. */
  standalone(): (req: IncomingMessage, res: ServerResponse) => void;
  /** The admin API over HTTP, for login pages and tools in other processes. Never expose it to the internet. */
  adminCallback(): (req: IncomingMessage, res: ServerResponse) => void;
  /** For a separate listener: `GET /metrics`, without a token. Never expose it to the internet. */
  metricsCallback(): (req: IncomingMessage, res: ServerResponse) => void;
  /** Resolves when the store answers. */
  ready(): Promise<void>;
  /** The metrics of this process, as data that can be serialized, for `gatherMetrics` of another process. */
  metrics(): Promise<MetricsSnapshot>;
  /** Removes users from the user cache of this process, for `purgeElsewhere` of another. Returns how many were removed. */
  purgeUserCache(which: CachePurge): Promise<number>;
  /** The counters of this process since its start. */
  stats(): ProviderStats;
  close(): Promise<void>;
}

/** Counters of the process since its start. */
export interface ProviderStats {
  readonly clientReads: number;
  readonly clientParses: number;
  readonly clientInstantiations: number;
  /** Expired records that this process removed, and what was left after its last sweep. */
  readonly sweep: Swept;
}
