import { type CachePurge, type Carnet, type CreateProviderOptions, createProvider } from '@carnet/provider';
import { CarnetError } from '@carnet/provider/config';
import {
  createLogger,
  createTokenBindings,
  koaMiddleware,
  type MetricsSnapshot,
  openShared,
} from '@carnet/provider/server';
import { type Installation, type IssuersInput, readIssuers } from './config/read-issuers.ts';
import { createRequestLimits } from './limits/request-limits.ts';
import { createTurns } from './limits/turns.ts';
import { createAdminListener } from './listeners/admin.ts';
import { createPublicListeners } from './listeners/public.ts';
import { holdIssuer, type ListenerDependencies } from './listeners/select.ts';
import { openSource } from './opening/open-source.ts';
import { createPool, type Pool } from './opening/pool.ts';
import { createSharedUsers } from './opening/shared-users.ts';
import type { Held, Issuer } from './ports.ts';
import type { IssuerFunctions } from './routing/found-issuers.ts';

/** The parts that a program passes for one issuer, instead of those for all. */
export type IssuerOptions = Pick<
  CreateProviderOptions,
  'signers' | 'keyWrapper' | 'registrationPolicy' | 'onSessionEnd' | 'hooks' | 'passwordCheck'
>;

export interface CreateIssuersOptions
  extends Omit<CreateProviderOptions, 'shared' | 'issuerName' | 'maxClients'>,
    IssuerFunctions {
  /** Called when an issuer is opened. Undefined is the first one. */
  readonly optionsOf?: (name: string | undefined) => IssuerOptions;
}

/** All issuers of an installation, with the listeners of one provider. */
export interface Issuers
  extends Pick<
    Carnet,
    'callback' | 'koa' | 'fetch' | 'standalone' | 'adminCallback' | 'metricsCallback' | 'ready' | 'close'
  > {
  /**
   * The provider of an issuer; undefined: of the first. It may be closed as soon as it is idle: ask for it before each use, or
   * call `use`.
   *
   * @throws CarnetError `not_found`, `too_busy`
   */
  of(name: string | undefined): Promise<Carnet>;
  /** Calls a function with the provider of an issuer, which stays open until its promise is settled. */
  use<T>(name: string | undefined, work: (carnet: Carnet) => T | Promise<T>): Promise<T>;
  /** The names of the configured issuers. The first has none. */
  readonly names: readonly string[];
  /** The metrics of all issuers in this process. */
  metrics(): Promise<MetricsSnapshot>;
  /** Removes users from the user caches of all open issuers. */
  purgeUserCache(which: CachePurge): Promise<number>;
}

const unknownIssuer = (name: string): CarnetError => new CarnetError('not_found', `There is no issuer "${name}".`);

/** The tokens of all configured issuers: those of a named one are bound to it. */
const tokensOf = ({ first, named }: Installation) =>
  [first, ...named.values()].flatMap(({ config }) => config.admin.tokens);

/** Opens the configured issuers one after the other, so that the first request finds them open. Failures are logged. */
const warmUp = async (pool: Pool, issuers: Iterable<Issuer>): Promise<void> => {
  for (const issuer of issuers) {
    try {
      (await pool.hold(issuer)).release();
    } catch {
      // The pool has logged it. The next request tries again.
    }
  }
};

/** Everything but the listeners. Nothing is left open when it throws. */
const openParts = async (installation: Installation, options: CreateIssuersOptions) => {
  const { issuerAt, issuerNamed, optionsOf, ...given } = options;
  const { first: firstIssuer, named } = installation;
  const { openIssuers, idle } = firstIssuer.limits;
  const logger = options.logger ?? createLogger(firstIssuer.config.log);
  const shared = await openShared(firstIssuer.config, {
    ...given,
    logger,
    openIssuer: async (name) => {
      const issuer = name === undefined ? undefined : await source.named(name);
      if (issuer !== undefined) (await pool.hold(issuer)).release();
    },
  });
  const source = openSource(installation, { issuerAt, issuerNamed }, (err) =>
    logger.warn({ err }, 'an issuer could not be found'),
  );
  const users = createSharedUsers({
    issuers: () => new Set([firstIssuer, ...named.values(), ...pool.issuers()]),
    hold: (issuer) => holdIssuer({ first, pool }, issuer),
    open: () => [first, ...pool.open()],
    purgeElsewhere: given.purgeElsewhere,
  });
  const open = (issuer: Issuer): Promise<Carnet> => {
    const { name, config, limits } = issuer;
    return createProvider(config, {
      ...given,
      ...optionsOf?.(name),
      ...{ revokeElsewhere: users.revokeFor(issuer), purgeElsewhere: users.purgeElsewhere },
      // The metrics of all processes are shown by the first issuer: an operator of another one must not see them.
      ...(name !== undefined && { gatherMetrics: undefined }),
      shared,
      issuerName: name,
      maxClients: limits.clients,
    });
  };
  const staysOpen = issuerAt === undefined && issuerNamed === undefined && named.size <= openIssuers;
  const pool = createPool({
    open,
    most: openIssuers,
    idleMs: staysOpen ? undefined : idle * 1_000,
    // Its events are sent, and sent again, while it is open.
    worksAlone: ({ config }) => (config.events?.webhooks.length ?? 0) > 0,
    onError: ({ name }, err) => logger.error({ issuer: name, err }, 'an issuer could not be opened or closed'),
  });
  let first: Carnet;
  try {
    first = await open(firstIssuer);
    return { shared, source, pool, first, toWarm: staysOpen ? named.values() : [] };
  } catch (error) {
    await shared.close();
    throw error;
  }
};

/**
 * Opens an installation whose configuration has been checked: `createIssuers` checks it.
 *
 * @throws ConfigError, CarnetError `storage_unavailable`
 */
export const openIssuers = async (installation: Installation, options: CreateIssuersOptions = {}): Promise<Issuers> => {
  const { shared, source, pool, first, toWarm } = await openParts(installation, options);
  const { first: firstIssuer, named } = installation;
  const deps: ListenerDependencies = { source, first, pool, mayPass: createRequestLimits(), begin: createTurns() };
  const { callback, fetch, standalone } = createPublicListeners(deps);
  const admin = createAdminListener({ ...deps, firstIssuer, boundTo: createTokenBindings(tokensOf(installation)) });

  const holdNamed = async (name: string | undefined): Promise<Held> => {
    const issuer = name === undefined ? firstIssuer : await source.named(name);
    if (issuer === undefined) throw unknownIssuer(name ?? '');
    return holdIssuer(deps, issuer);
  };
  const use: Issuers['use'] = async (name, work) => {
    const { carnet, release } = await holdNamed(name);
    try {
      return await work(carnet);
    } finally {
      release();
    }
  };
  const warmed = warmUp(pool, toWarm);

  return {
    callback: () => callback,
    koa: () => koaMiddleware(callback),
    fetch,
    standalone: () => standalone,
    adminCallback: () => admin,
    metricsCallback: first.metricsCallback,
    ready: first.ready,
    of: (name) => use(name, (carnet) => carnet),
    use,
    names: [...named.keys()],
    metrics: () => shared.metrics(),
    async purgeUserCache(which) {
      const counts = await Promise.all([first, ...pool.open()].map((carnet) => carnet.purgeUserCache(which)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async close() {
      await pool.close();
      await warmed;
      await first.close();
      await shared.close();
    },
  };
};

/**
 * Creates all issuers of a configuration. The top level is the first issuer; the section `issuers` has the others, by name, with
 * the keys in which they differ. Each is opened when it is first used.
 *
 * @throws ConfigError with every problem of every issuer; CarnetError `storage_unavailable`
 * @example
 * ```ts
 * const issuers = await createIssuers({
 *   ...config,
 *   issuers: {
 *     acme: { issuer: 'https://acme.example.com' },
 *     shop: { issuer: 'https://login.example.com/shop', ttl: { idToken: 600 } },
 *   },
 * });
 * app.use(issuers.callback());
 * ```
 */
export const createIssuers = async (input: IssuersInput, options: CreateIssuersOptions = {}): Promise<Issuers> =>
  openIssuers(await readIssuers(input, options), options);
