import type { StorageAdapter, Write } from '@carnet/adapter-contract';
import type { Audit } from '../telemetry/audit.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createClientLanes } from './client-lanes.ts';
import {
  type Delivery,
  deliveryKey,
  deliveryOf,
  deliveryRecord,
  dueAtOf,
  headStartMs,
  type PendingLogout,
  type SessionEnded,
} from './delivery-record.ts';
import { findClientsToTell } from './find-clients-to-tell.ts';
import { identityProviderSessionOf } from './session-record.ts';
import { type TellDependencies, type Told, tellClient } from './tell-client.ts';
import { createTimers } from './timers.ts';

/** A session that has ended, for a program that has to end something with it. */
export interface EndedSession {
  readonly sid: string;
  readonly subject: string;
  /** What the login app gave as `identity_provider_session_id`. */
  readonly identityProviderSessionId?: string;
}

export interface DeliveryDependencies extends TellDependencies {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit' | 'list'>;
  /** Called by one process for each session that has ended. What it throws is logged. */
  readonly onSessionEnd?: (session: EndedSession) => void | Promise<void>;
  /** Seconds before each further attempt. */
  readonly retries: readonly number[];
  readonly pollSeconds: number;
  /** How long a request to a client may take. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly audit: Audit;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Tells clients of sessions that have ended (Back-Channel Logout 1.0). What is to be told stands in the store until it
 * is told or given up: any process goes on with it, after `kill -9` too, and for each attempt exactly one is let through.
 */
export interface Deliveries {
  /** Begin to tell, now that the commit that ended the session has been made. Waits for nothing, and never throws. */
  announce(ended: SessionEnded): void;
  /** Requests under way are given up; what they were to tell stays in the store. */
  stop(): void;
}

const pageSize = 500;
export const createDeliveries = (deps: DeliveryDependencies): Deliveries => {
  const { adapter, retries, timeoutMs, pollSeconds, logger, audit, now } = deps;
  const lanes = createClientLanes();
  const stopped = new AbortController();
  const later = createTimers(stopped.signal);
  const busy = new Set<string>();

  const delayMs = (attempt: number): number => (retries[attempt] ?? 0) * 1_000;

  /** What comes after an attempt, should it fail: in the store before it is made, with the time it may take. */
  const afterAttempt = (pending: PendingLogout): PendingLogout => ({
    ...pending,
    attempt: pending.attempt + 1,
    // A process whose clock is ahead may begin the next attempt early: delivery is at least once. To wait for the clock
    // skew as well would delay every notification whose process has died.
    dueAt: now() + timeoutMs + delayMs(pending.attempt),
  });

  /** Removes what is there and puts `next` in its place. The one step by which one process wins: the consume. */
  const take = async (delivery: Delivery, next: readonly Delivery[]): Promise<boolean> => {
    const key = deliveryKey(delivery);
    const writes: Write[] = [
      ...next.map((each): Write => ({ type: 'put', record: deliveryRecord(each) })),
      { type: 'consume', key, at: new Date(now()) },
      { type: 'remove', key },
    ];
    return (await adapter.commit(writes)) === undefined;
  };

  const record = ({ clientId, subject }: PendingLogout, reason?: string): void =>
    audit({
      action: 'logout.backchannel',
      outcome: reason === undefined ? 'success' : 'denied',
      reason,
      clientId,
      subject,
    });

  const giveUp = async (pending: PendingLogout): Promise<void> => {
    if (!(await take(pending, []))) return;
    logger.warn({ clientId: pending.clientId, attempts: pending.attempt }, 'back-channel logout given up');
    record(pending, 'gave_up');
  };

  const settle = async (told: Told, attempted: PendingLogout, next: PendingLogout): Promise<void> => {
    if (told.status === 'failed') {
      const { clientId, attempt } = attempted;
      logger.warn({ clientId, attempt, reason: told.reason }, 'back-channel logout failed');
      if (next.attempt > retries.length) return giveUp(next);
      // Sooner than others may: that the attempt is over is known here.
      if (delayMs(attempt) < pollSeconds * 1_000) later(delayMs(attempt), () => pursue(next));
      return;
    }
    await adapter.commit([{ type: 'remove', key: deliveryKey(next) }]);
    if (told.status !== 'unconcerned') record(attempted, told.status === 'refused' ? told.reason : undefined);
  };

  const attempt = async (attempted: PendingLogout, next: PendingLogout): Promise<void> =>
    settle(await tellClient(deps, attempted, stopped.signal), attempted, next);

  const tryLogout = async (pending: PendingLogout): Promise<void> => {
    if (pending.attempt > retries.length) return giveUp(pending);
    const next = afterAttempt(pending);
    if (await take(pending, [next])) await attempt(pending, next);
  };

  /** Each page of clients is taken by one process, and what is left stands in the store before anybody is told. */
  const expand = async (ended: SessionEnded): Promise<void> => {
    const { subject, endedAt } = ended;
    const { session, clients, after } = await findClientsToTell(deps, ended);
    const first = clients.map(
      (client): PendingLogout => ({
        type: 'backchannel_logout',
        ...client,
        subject,
        attempt: 0,
        dueAt: now(),
        endedAt,
      }),
    );
    const next = first.map(afterAttempt);
    const rest = after === undefined ? undefined : { ...ended, after, dueAt: now() + headStartMs };
    if (!(await take(ended, rest ? [...next, rest] : next))) return;
    for (const [index, pending] of first.entries()) {
      void inLane(pending, () => attempt(pending, next[index] as PendingLogout));
    }
    if (session && ended.after === undefined) await hand(ended, identityProviderSessionOf(session));
    if (rest) await pursue(rest);
  };

  const hand = async ({ sid, subject }: SessionEnded, identityProviderSessionId?: string): Promise<void> => {
    try {
      await deps.onSessionEnd?.({ sid, subject, identityProviderSessionId });
    } catch (err) {
      logger.error({ err }, 'onSessionEnd failed');
    }
  };

  /** What fails here stands in the store: a later poll finds it. */
  const quietly = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (err) {
      if (!stopped.signal.aborted) logger.warn({ err }, 'back-channel logout put off');
    }
  };

  const inLane = (pending: PendingLogout, work: () => Promise<void>): Promise<void> =>
    quietly(() => lanes.run(pending.clientId, async () => (stopped.signal.aborted ? undefined : work())));

  /** Once at a time in this process; among processes the store decides. */
  const pursue = async (delivery: Delivery): Promise<void> => {
    const { id } = deliveryKey(delivery);
    if (busy.has(id)) return;
    busy.add(id);
    if (delivery.type === 'session_ended') await quietly(() => expand(delivery));
    else await inLane(delivery, () => tryLogout(delivery));
    busy.delete(id);
  };

  const walk = async (): Promise<void> => {
    let after: string | undefined;
    do {
      const page = await adapter.list({ kind: 'delivery', limit: pageSize, after });
      for (const found of page.records) {
        const delivery = deliveryOf(found);
        // Not waited for: one client that does not answer must not keep others waiting.
        if (delivery !== undefined && dueAtOf(delivery) <= now()) void pursue(delivery);
      }
      after = page.next;
    } while (after !== undefined && !stopped.signal.aborted);
  };

  const keepPolling = (ms: number): void =>
    later(ms, async () => {
      await quietly(walk);
      // A quarter more at random, so that processes do not all look at once.
      keepPolling(pollSeconds * 1_000 * (1 + Math.random() / 4));
    });
  keepPolling(1_000 * Math.random());

  return {
    announce: (ended) => void pursue(ended),
    stop: () => stopped.abort(),
  };
};
