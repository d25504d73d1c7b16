import type { FoundRecord, StorageAdapter } from '@carnet/adapter-contract';
import { createKeyedQueue } from '@carnet/adapter-contract/kit';
import { documentProblemIn } from '../clients/find-or-unread.ts';
import { listPages } from '../storage/page.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type AttemptDependencies, type Attempts, createAttempts } from './attempts.ts';
import {
  type Delivery,
  deliveryKey,
  deliveryOf,
  dueAtOf,
  headStartMs,
  type PendingLogout,
  type SessionEnded,
} from './delivery-record.ts';
import { readSessionClients, type SessionClient } from './session-clients.ts';
import { isLiveSession, readSession, sessionKey } from './session-record.ts';

/** A session that has ended. The program may have to end something with it. */
export interface EndedSession {
  readonly sid: string;
  readonly subject: string;
  /** The `identity_provider_session_id` of the login app. */
  readonly identityProviderSessionId?: string;
}

export interface DeliveryDependencies extends AttemptDependencies {
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit' | 'list'>;
  /** Called by one process for each session that has ended. Its errors are logged. */
  readonly onSessionEnd?: (session: EndedSession) => void | Promise<void>;
  readonly pollSeconds: number;
  readonly logger: Logger;
}

const pageSize = 500;
/** A client that does not answer delays only its own notifications, and a large session leaves sockets for other requests. */
const queueLimits = { concurrencyPerKey: 4, totalConcurrency: 256, maxWaitingPerKey: 1_000 };

/** Passes each delivery that is due to `pursue`, without waiting for it: a slow client must not delay other clients. */
const pursueDue = async (
  { adapter, now }: Pick<DeliveryDependencies, 'adapter' | 'now'>,
  signal: AbortSignal,
  pursue: (delivery: Delivery) => Promise<void>,
): Promise<void> => {
  for await (const records of listPages(adapter, { kind: 'delivery', limit: pageSize })) {
    const due = records.map(deliveryOf).filter((delivery) => delivery !== undefined && dueAtOf(delivery) <= now());
    for (const delivery of due) void pursue(delivery as Delivery);
    if (signal.aborted) return;
  }
};

/** Clients of one session that one commit may hold: DynamoDB takes 100 writes, and two more are about the session. */
const clientsPerCommit = 50;

/** Clients are looked up in the order of these names. */
const nameOf = ({ sid, clientId }: SessionClient): string => `${sid} ${clientId}`;

/** Whether to notify a client. If its metadata document can't be fetched now, the notification is tried again later. */
const isSubscribed = async (clients: DeliveryDependencies['clients'], id: string): Promise<boolean> => {
  try {
    return (await clients.find(id))?.metadata.backchannel_logout_uri !== undefined;
  } catch (error) {
    const problem = documentProblemIn(error);
    if (problem === undefined) throw error;
    return problem === 'unavailable';
  }
};

/**
 * The next clients of an ended session that subscribe to back-channel logout, and the record of the session, unless it has
 * expired. No client can join an ended session. `after`: where the next page starts; undefined on the last one.
 */
const findClientsToNotify = async (
  { adapter, clients, now }: DeliveryDependencies,
  { sid, clientIds, after = '' }: SessionEnded,
) => {
  const key = sessionKey(sid);
  const [session] = await adapter.read([key]);
  // The process that announced the end of this session stopped before it ended the session: end it here.
  if (isLiveSession(session)) await adapter.commit([{ type: 'consume', key, at: new Date(now()) }]);
  const found = await readSessionClients(async (each) => (await adapter.read([each]))[0], sid);
  const all = [...clientIds.map((clientId) => ({ sid, clientId })), ...found];
  const distinct = new Map(all.map((each) => [nameOf(each), each]));
  const left = [...distinct].filter(([name]) => name > after).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const page = left.slice(0, clientsPerCommit);
  const subscribed = await Promise.all(page.map(([, { clientId }]) => isSubscribed(clients, clientId)));
  return {
    session,
    clients: page.flatMap(([, client], index) => (subscribed[index] ? [client] : [])),
    after: left.length > page.length ? page.at(-1)?.[0] : undefined,
  };
};

/**
 * Stores the attempts for a page of clients, and the next page (`rest`). `session`: on the first page. Undefined: another
 * process has taken this page.
 */
const expand = async (deps: DeliveryDependencies, { take, after: afterAttempt }: Attempts, ended: SessionEnded) => {
  const { subject, endedAt } = ended;
  const { session, clients, after } = await findClientsToNotify(deps, ended);
  const dueAt = deps.now();
  const common = { type: 'backchannel_logout', subject, attempt: 0, dueAt, endedAt } as const;
  const attempts = clients.map((client): PendingLogout => ({ ...common, ...client }));
  const rest = after === undefined ? undefined : { ...ended, after, dueAt: dueAt + headStartMs };
  const next = attempts.map(afterAttempt);
  if (!(await take(ended, rest ? [...next, rest] : next))) return undefined;
  return { attempts, rest, session: ended.after === undefined ? session : undefined };
};

const reportEnd = async (
  { onSessionEnd, logger }: DeliveryDependencies,
  { sid, subject }: SessionEnded,
  session: FoundRecord,
): Promise<void> => {
  try {
    await onSessionEnd?.({ sid, subject, identityProviderSessionId: readSession(session).identityProviderSessionId });
  } catch (err) {
    logger.error({ err }, 'onSessionEnd failed');
  }
};

/** Does the work later, unless `signal` is aborted by then. */
const later = (signal: AbortSignal, ms: number, work: () => Promise<void>): void =>
  void setTimeout(() => (signal.aborted ? undefined : work()), ms).unref();

/**
 * Notifies clients of ended sessions (Back-Channel Logout 1.0). A notification stays in the store until it is delivered or
 * given up, so that any process can resume it after a crash. The store lets one process make each attempt.
 */
export const createDeliveries = (deps: DeliveryDependencies) => {
  const { pollSeconds, logger } = deps;
  const stopped = new AbortController();
  const { signal } = stopped;
  const attempts = createAttempts(deps, signal);
  const queue = createKeyedQueue(queueLimits);
  const pursued = new Set<string>();

  /** Work that fails stays in the store, where a later poll finds it. */
  const orLater = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, 'back-channel logout put off');
    }
  };

  const inQueue = (pending: PendingLogout, make: Attempts['make']) =>
    orLater(() =>
      queue(pending.clientId, async () => {
        const next = signal.aborted ? undefined : await make(pending);
        const delayMs = attempts.delayMs(pending.attempt);
        // This process knows that the attempt is over. Other processes wait until `dueAt`.
        if (next && delayMs < pollSeconds * 1_000) later(signal, delayMs, () => pursue(next));
      }),
    );

  const notifyAll = async (ended: SessionEnded): Promise<void> => {
    const expanded = await expand(deps, attempts, ended);
    if (expanded === undefined) return;
    for (const pending of expanded.attempts) void inQueue(pending, attempts.make);
    if (expanded.session) await reportEnd(deps, ended, expanded.session);
    if (expanded.rest) await pursue(expanded.rest);
  };

  /** Once at a time in this process. Among processes the store decides. */
  const pursue = async (delivery: Delivery): Promise<void> => {
    const { id } = deliveryKey(delivery);
    if (pursued.has(id)) return;
    pursued.add(id);
    if (delivery.type === 'session_ended') await orLater(() => notifyAll(delivery));
    else await inQueue(delivery, attempts.takeAndMake);
    pursued.delete(id);
  };

  return {
    /** Begins to notify clients. Call it after the commit that ended the session. Returns at once, and never throws. */
    announce: (ended: SessionEnded): void => void pursue(ended),
    /** Takes over the notifications that are due. */
    poll: (): Promise<void> => orLater(() => pursueDue(deps, signal, pursue)),
    /** Aborts requests in progress. Their notifications stay in the store. */
    stop: (): void => stopped.abort(),
  };
};

export type Deliveries = ReturnType<typeof createDeliveries>;
