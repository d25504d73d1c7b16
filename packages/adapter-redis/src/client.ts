import { Redis, type RedisOptions } from 'ioredis';
import type { Address, Host } from './address.ts';

/**
 * A client that lives as long as its one connection: it neither reconnects nor repeats nor queues. What was sent when
 * the connection was lost is rejected, since nobody knows whether it was carried out.
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
  // What answers nothing any more is not waited for.
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
