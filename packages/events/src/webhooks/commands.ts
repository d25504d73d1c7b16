import type { Write } from '@carnet/adapter-contract';
import { parseJson } from '@carnet/adapter-contract/kit';
import type { EventStore } from '../ports.ts';
import { eventKey, eventRecord } from '../store/records.ts';
import type { WebhookState } from './state.ts';

/** How long a command waits for the process that sends the events. */
const lifetimeMs = 86_400_000;

const nameOfCommand = (webhook: string): string => `webhook:${webhook}:retry`;

/** Commands the process that sends the events of a webhook to try its failed events again. */
export const commandRetry = async (store: Pick<EventStore, 'commit'>, webhook: string, at: number): Promise<void> => {
  const record = eventRecord(nameOfCommand(webhook), { at }, new Date(at + lifetimeMs));
  await store.commit([{ type: 'put', record }]);
};

/** When the last such command was given, with what removes it. Undefined: there is none. */
export const readRetryCommand = async (store: Pick<EventStore, 'read'>, webhook: string) => {
  const key = eventKey(nameOfCommand(webhook));
  const [found] = await store.read([key]);
  if (found === undefined || parseJson(found.payload) === undefined) return undefined;
  const remove: Write = { type: 'remove', key };
  return remove;
};

/** All failed events, and those that wait for another attempt, are tried now. A webhook that was switched off gets events again. */
export const afterRetryCommand = (state: WebhookState, now: number): WebhookState => ({
  ...state,
  isGone: false,
  pausedUntil: 0,
  probeAt: 0,
  retries: [
    ...state.retries.map((retry) => ({ ...retry, dueAt: now })),
    ...state.failed.map(({ id }) => ({ id, attempts: 0, dueAt: now })),
  ],
  failed: [],
});
