import { hash } from 'node:crypto';
import type { Clock, EventStore } from '../ports.ts';
import { afterRetryCommand, readRetryCommand } from './commands.ts';
import type { Webhook } from './send-event.ts';
import type { WebhookState } from './state.ts';

interface PrepareDependencies extends Clock {
  readonly webhook: Webhook;
  readonly store: EventStore;
}

/** How often commands are read, in milliseconds. */
const commandMs = 2_000;

const fingerprintOf = ({ url, secret }: Webhook): string => hash('sha256', JSON.stringify([url, secret]), 'base64url');

/** Before a round: carries out a command of an administrator, and notices a change of the configuration. */
export const createPrepare = ({ webhook, store, now }: PrepareDependencies) => {
  const fingerprint = fingerprintOf(webhook);
  let commandReadAt = Number.NEGATIVE_INFINITY;
  return async (state: WebhookState): Promise<WebhookState> => {
    const isChanged = state.fingerprint !== fingerprint;
    const current = isChanged ? { ...state, fingerprint, isGone: false, pausedUntil: 0, probeAt: 0 } : state;
    if (now() - commandReadAt < commandMs) return current;
    commandReadAt = now();
    const removeCommand = await readRetryCommand(store, webhook.name);
    if (removeCommand === undefined) return current;
    await store.commit([removeCommand]);
    return afterRetryCommand(current, now());
  };
};
