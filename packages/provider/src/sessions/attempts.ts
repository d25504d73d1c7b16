import type { StorageAdapter, Write } from '@carnet/adapter-contract';
import type { Clock } from '../clock.ts';
import type { Audit } from '../telemetry/audit.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type Delivery, deliveryKey, deliveryRecord, type PendingLogout } from './delivery-record.ts';
import { type NotifyDependencies, notifyClient } from './notify-client.ts';

export interface AttemptDependencies extends NotifyDependencies, Clock {
  readonly adapter: Pick<StorageAdapter, 'commit'>;
  /** Seconds before each further attempt. */
  readonly retries: readonly number[];
  /** How long a request to a client may take. */
  readonly timeoutMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  readonly audit: Audit;
}

/** The attempts to notify clients of a logout. Each is made by one process. */
export interface Attempts {
  /** Replaces a delivery in the store by `next`. False: another process has taken the delivery. */
  take(delivery: Delivery, next: readonly Delivery[]): Promise<boolean>;
  /** The attempt to make if this one fails. It is stored before this one begins. */
  after(pending: PendingLogout): PendingLogout;
  /** Makes an attempt whose successor is stored. Resolves to the successor when the attempt failed. */
  make(pending: PendingLogout, next: PendingLogout): Promise<PendingLogout | undefined>;
  /** Takes an attempt and makes it; gives up after the last one. */
  takeAndMake(pending: PendingLogout): Promise<PendingLogout | undefined>;
  /** The pause after an attempt, in milliseconds. */
  delayMs(attempt: number): number;
}

const writeAudit = (audit: Audit, { clientId, subject }: PendingLogout, reason?: string): void =>
  audit({
    action: 'logout.backchannel',
    outcome: reason === undefined ? 'success' : 'denied',
    reason,
    clientId,
    subject,
  });

/** @param signal aborts requests in progress. Their deliveries stay in the store. */
export const createAttempts = (deps: AttemptDependencies, signal: AbortSignal): Attempts => {
  const { adapter, retries, timeoutMs, logger, audit, now } = deps;

  const delayMs = (attempt: number): number => (retries[attempt] ?? 0) * 1_000;

  const take: Attempts['take'] = async (delivery, next) => {
    const key = deliveryKey(delivery);
    const writes: Write[] = [
      ...next.map((each): Write => ({ type: 'put', record: deliveryRecord(each) })),
      // The one step that lets only one process win.
      { type: 'consume', key, at: new Date(now()) },
      { type: 'remove', key },
    ];
    return (await adapter.commit(writes)) === undefined;
  };

  const after: Attempts['after'] = (pending) => ({
    ...pending,
    attempt: pending.attempt + 1,
    // A process whose clock is ahead may begin the next attempt early: delivery is at least once. To wait for the clock
    // skew as well would delay every notification whose process has died.
    dueAt: now() + timeoutMs + delayMs(pending.attempt),
  });

  const giveUp = async (pending: PendingLogout): Promise<undefined> => {
    if (!(await take(pending, []))) return;
    logger.warn({ clientId: pending.clientId, attempts: pending.attempt }, 'back-channel logout given up');
    writeAudit(audit, pending, 'gave_up');
  };

  const isOver = ({ attempt }: PendingLogout): boolean => attempt > retries.length;

  const make: Attempts['make'] = async (pending, next) => {
    const result = await notifyClient(deps, pending, signal);
    if (result.status === 'failed') {
      const { clientId, attempt } = pending;
      logger.warn({ clientId, attempt, reason: result.reason }, 'back-channel logout failed');
      return isOver(next) ? giveUp(next) : next;
    }
    await adapter.commit([{ type: 'remove', key: deliveryKey(next) }]);
    const reason = result.status === 'refused' ? result.reason : undefined;
    if (result.status !== 'not_subscribed') writeAudit(audit, pending, reason);
    return undefined;
  };

  return {
    take,
    after,
    make,
    takeAndMake: async (pending) => {
      if (isOver(pending)) return giveUp(pending);
      const next = after(pending);
      return (await take(pending, [next])) ? make(pending, next) : undefined;
    },
    delayMs,
  };
};
