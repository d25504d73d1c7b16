import type { StorageAdapter, Write } from '@carnet/adapter-contract';
import type { ClientRecord } from '../clients/client-record.ts';
import { documentProblemIn } from '../clients/find-or-unread.ts';
import type { Clock } from '../clock.ts';
import { CarnetError } from '../errors.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { Audit } from '../telemetry/audit.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type Delivery, deliveryKey, deliveryRecord, type PendingLogout } from './delivery-record.ts';
import type { SignLogoutToken } from './logout-token.ts';

/** The result of an attempt. Only `failed` is tried again. */
interface AttemptResult {
  readonly status: 'delivered' | 'not_subscribed' | 'refused' | 'failed';
  /** A code. Absent: it is delivered or not subscribed. */
  readonly reason?: string;
}

export interface AttemptDependencies extends Clock {
  readonly adapter: Pick<StorageAdapter, 'commit'>;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly outbound: Pick<OutboundClient, 'send'>;
  readonly sign: SignLogoutToken;
  /** Seconds before each further attempt. */
  readonly retries: readonly number[];
  /** How long a request to a client may take. */
  readonly timeoutMs: number;
  readonly logger: Pick<Logger, 'warn'>;
  readonly audit: Audit;
}

/** Back-Channel Logout 1.0, section 2.8: 200 means success. Some frameworks send 204. 400 is final. */
const resultOf = (status: number): AttemptResult => {
  if (status === 200 || status === 204) return { status: 'delivered' };
  return { status: status === 400 ? 'refused' : 'failed', reason: `http_${status}` };
};

/**
 * Sends a logout token to a client (Back-Channel Logout 1.0, section 2.5).
 * @throws what `clients.find` throws when the store does not answer
 */
const notifyClient = async (
  { clients, outbound, sign }: AttemptDependencies,
  pending: PendingLogout,
  signal: AbortSignal,
): Promise<AttemptResult> => {
  try {
    const client = await clients.find(pending.clientId);
    const url = client?.metadata.backchannel_logout_uri;
    if (client === undefined || url === undefined) return { status: 'not_subscribed' };
    const body = new URLSearchParams({ logout_token: await sign(client, pending) }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await outbound.send({ url, method: 'POST', headers, body, purpose: 'backchannel_logout', signal });
    return resultOf(answer.status);
  } catch (error) {
    if (error instanceof OutboundError) return { status: 'failed', reason: error.reason };
    if (error instanceof CarnetError && error.code === 'signer_unavailable')
      return { status: 'failed', reason: error.code };
    const problem = documentProblemIn(error);
    if (problem === 'invalid') return { status: 'not_subscribed' };
    if (problem === 'unavailable') return { status: 'failed', reason: 'client_document_unavailable' };
    throw error;
  }
};

const writeAudit = (audit: Audit, { clientId, subject }: PendingLogout, reason?: string): void => {
  const outcome = reason === undefined ? 'success' : 'denied';
  audit({ action: 'logout.backchannel', outcome, reason, clientId, subject });
};

/**
 * The attempts to notify clients of a logout. Each is made by one process.
 *
 * @param signal aborts requests in progress. Their deliveries stay in the store.
 */
export const createAttempts = (deps: AttemptDependencies, signal: AbortSignal) => {
  const { adapter, retries, timeoutMs, logger, audit, now } = deps;

  /** The pause after an attempt, in milliseconds. */
  const delayMs = (attempt: number): number => (retries[attempt] ?? 0) * 1_000;

  /** Replaces a delivery in the store by `next`. False: another process has taken the delivery. */
  const take = async (delivery: Delivery, next: readonly Delivery[]): Promise<boolean> => {
    const key = deliveryKey(delivery);
    const writes: Write[] = [
      ...next.map((each): Write => ({ type: 'put', record: deliveryRecord(each) })),
      // The one step that lets only one process win.
      { type: 'consume', key, at: new Date(now()) },
      { type: 'remove', key },
    ];
    return (await adapter.commit(writes)) === undefined;
  };

  /** The attempt to make if this one fails. It is stored before this one begins. */
  const after = (pending: PendingLogout): PendingLogout => ({
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

  /** Makes an attempt whose successor is stored. Resolves to the successor when the attempt failed. */
  const make = async (pending: PendingLogout): Promise<PendingLogout | undefined> => {
    const next = after(pending);
    const { status, reason } = await notifyClient(deps, pending, signal);
    if (status === 'failed') {
      const { clientId, attempt } = pending;
      logger.warn({ clientId, attempt, reason }, 'back-channel logout failed');
      return isOver(next) ? giveUp(next) : next;
    }
    await adapter.commit([{ type: 'remove', key: deliveryKey(next) }]);
    if (status !== 'not_subscribed') writeAudit(audit, pending, reason);
    return undefined;
  };

  /** Takes an attempt and makes it; gives up after the last one. */
  const takeAndMake = async (pending: PendingLogout): Promise<PendingLogout | undefined> => {
    if (isOver(pending)) return giveUp(pending);
    return (await take(pending, [after(pending)])) ? make(pending) : undefined;
  };

  return { take, after, make, takeAndMake, delayMs };
};

export type Attempts = ReturnType<typeof createAttempts>;
