import { randomUUID } from 'node:crypto';
import type { Write } from '@carnet/adapter-contract';
import type { Clock, EventStore } from '../ports.ts';
import { eventKey, eventRecord } from '../store/records.ts';
import { nameOfState, newState, parseState, type WebhookState } from './state.ts';

/** How long a process holds a webhook without renewing it. An attempt takes 15 seconds at most. */
const leaseMs = 45_000;

export interface LeaseDependencies extends Clock {
  readonly store: EventStore;
  /** The name of the webhook. */
  readonly name: string;
}

/**
 * One process at a time sends the events of a webhook, and changes its state.
 *
 * The lease is a record that one process claims, and that expires. What makes it safe is the fence, a record of each holder: a
 * successor removes it, and each change of the state has it as a condition. A process that was suspended, or whose clock is late,
 * therefore changes nothing after another has taken over.
 */
export const createLease = ({ store, name, now }: LeaseDependencies) => {
  const holder = randomUUID();
  const leaseName = `webhook:${name}:lease`;
  const fenceOf = (of: string): string => `webhook:${name}:fence:${of}`;
  const [lease, fence, stateKey] = [leaseName, fenceOf(holder), nameOfState(name)].map(eventKey);
  if (lease === undefined || fence === undefined || stateKey === undefined)
    throw new TypeError('three names, three keys');
  const expiry = (): Date => new Date(now() + leaseMs);

  const readState = async (): Promise<WebhookState | undefined> => {
    const [found] = await store.read([stateKey]);
    return found === undefined ? undefined : parseState(found.payload);
  };

  const renewal = (): Write[] => [
    { type: 'merge', key: fence, members: [], expiresAt: expiry() },
    { type: 'merge', key: lease, members: [], expiresAt: expiry() },
  ];

  /** False: another process has taken over. */
  const save = async (state: WebhookState): Promise<boolean> =>
    (await store.commit([...renewal(), { type: 'put', record: eventRecord(nameOfState(name), state, null) }])) ===
    undefined;

  return {
    /** The state, once this process holds the webhook. Undefined: another process does. */
    async take(): Promise<WebhookState | undefined> {
      const [held] = await store.read([lease]);
      if (held !== undefined) return undefined;
      const before = await readState();
      const conflict = await store.commit([
        { type: 'claim', record: eventRecord(leaseName, {}, expiry()) },
        ...(before === undefined ? [] : [{ type: 'remove', key: eventKey(fenceOf(before.holder)) } as const]),
        { type: 'put', record: eventRecord(fenceOf(holder), {}, expiry()) },
      ]);
      if (conflict !== undefined) return undefined;
      // Read again: until its fence was removed, the former holder could change the state.
      const state = { ...((await readState()) ?? newState(now())), holder };
      return (await save(state)) ? state : undefined;
    },
    save,
    /** Holds the webhook for another while. False: another process has taken over. */
    renew: async (): Promise<boolean> => (await store.commit(renewal())) === undefined,
    /** Lets another process take over at once. */
    async release(): Promise<void> {
      // The condition comes first: the lease of another process is not removed.
      await store.commit([
        { type: 'consume', key: fence, at: new Date(now()) },
        { type: 'remove', key: lease },
        { type: 'remove', key: fence },
      ]);
    },
  };
};
