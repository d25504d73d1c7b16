import type { StorageAdapter } from '@carnet/adapter-contract';

/** The store of the events and of the state of webhooks: the store of Carnet. */
export type EventStore = Pick<StorageAdapter, 'read' | 'commit'>;

export interface Logger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Creates the error that a caller gets. */
export type ErrorOf = (code: 'invalid_request' | 'not_found', message: string) => Error;

/** A POST to a webhook. */
export interface WebhookRequest {
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request within limits of time, size and addresses. It follows no redirect. It rejects if there is no answer, with a
 * code as `reason` that names no URL.
 */
export type SendWebhook = (
  request: WebhookRequest,
) => Promise<{ readonly status: number; readonly headers: Pick<Headers, 'get'> }>;
