import { issuerOfId, type StorageAdapter } from '@carnet/adapter-contract';
import type { Clock } from '../clock.ts';
import { listPages } from '../storage/page.ts';
import type { Logger } from '../telemetry/logger.ts';
import { deliveryOf, dueAtOf } from './delivery-record.ts';

interface DeliveryPollDependencies extends Clock {
  /** The store of all issuers. */
  readonly adapter: Pick<StorageAdapter, 'list'>;
  readonly pollSeconds: number;
  /** Creates the provider of an issuer that has none in this process. */
  readonly openIssuer?: (issuer: string | undefined) => Promise<unknown>;
  readonly logger: Pick<Logger, 'warn'>;
}

const pageSize = 500;

/** Finds the notifications that are due, of all issuers in one store: one list for all, however many issuers there are. */
export const startDeliveryPoll = ({ adapter, pollSeconds, openIssuer, logger, now }: DeliveryPollDependencies) => {
  const polls = new Map<string | undefined, () => Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const issuersWithDue = async (): Promise<ReadonlySet<string | undefined>> => {
    const issuers = new Set<string | undefined>();
    for await (const records of listPages(adapter, { kind: 'delivery', limit: pageSize })) {
      for (const record of records) {
        const delivery = deliveryOf(record);
        if (delivery && dueAtOf(delivery) <= now()) issuers.add(issuerOfId(record.id));
      }
      if (isStopped) break;
    }
    return issuers;
  };

  /** Work that fails stays in the store, where the next poll finds it. */
  const orLater = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (err) {
      if (!isStopped) logger.warn({ err }, 'back-channel logout put off');
    }
  };

  const run = async (): Promise<void> => {
    for (const issuer of await issuersWithDue()) {
      await orLater(async () => {
        if (isStopped) return;
        if (!polls.has(issuer)) await openIssuer?.(issuer);
        await polls.get(issuer)?.();
      });
    }
  };

  const runAfter = (ms: number): void => {
    timer = setTimeout(async () => {
      await orLater(run);
      // The random quarter keeps processes from polling at the same time.
      if (!isStopped) runAfter(pollSeconds * 1_000 * (1 + Math.random() / 4));
    }, ms).unref();
  };
  runAfter(1_000 * Math.random());

  return {
    /** Calls `poll` when the issuer has notifications that are due, until the returned function is called. */
    add(issuer: string | undefined, poll: () => Promise<void>): () => void {
      polls.set(issuer, poll);
      return () => {
        if (polls.get(issuer) === poll) polls.delete(issuer);
      };
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};

export type DeliveryPoll = ReturnType<typeof startDeliveryPoll>;
