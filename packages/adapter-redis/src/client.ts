import { Redis, type RedisOptions } from 'ioredis';
import type { Address, Host } from './address.ts';

/**
 * A client with a single connection: it neither reconnects nor repeats nor queues. Commands that were sent when the
 * connection was lost are rejected, because their outcome is unknown.
 */
const options = (milliseconds: number): RedisOptions => ({
  lazyConnect: true,
  retryStrategy: null,
  sentinelRetryStrategy: () => null,
  reconnectOnError: null,
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  enableReadyCheck: false,
  disableClientInfo: true,
  connectionName: 'carnet',
  connectTimeout: milliseconds,
  sentinelCommandTimeout: milliseconds,
  // A connection that no longer answers is not waited for.
  disconnectTimeout: 0,
  keepAlive: 10_000,
  protocol: 2,
});

/** Not connected yet. */
export const createClient = (address: Address, host: Host, milliseconds: number): Redis =>
  new Redis({ ...options(milliseconds), ...address.options, ...host });

/** Asks the Sentinels for the master when it connects. */
export const createSentinelClient = (address: Address, milliseconds: number): Redis => {
  const { username, password, tls } = address.options;
  return new Redis({
    ...options(milliseconds),
    ...address.options,
    sentinels: [...address.hosts],
    name: address.masterName,
    ...(address.sentinelAuth ? { sentinelUsername: username, sentinelPassword: password } : {}),
    ...(tls ? { sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
  });
};
