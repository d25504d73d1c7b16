import type { Clock, SendWebhook } from '../ports.ts';
import type { StoredEvent } from '../store/records.ts';
import { secretBytes, signedHeaders, splitSecrets } from './sign.ts';

/** A webhook of the configuration. */
export interface Webhook {
  readonly name: string;
  readonly url: string;
  readonly secret: string;
  /** Undefined: all but those of refused requests. */
  readonly types?: readonly string[] | undefined;
}

/** The result of an attempt. */
export interface AttemptResult {
  /** `gone`: the receiver wants no more events (410). `aborted`: this process stops. */
  readonly status: 'delivered' | 'failed' | 'gone' | 'aborted';
  /** A code. Absent: it is delivered. */
  readonly reason?: string;
  /** The receiver must not be called before this pause is over, in milliseconds. */
  readonly pauseMs?: number;
}

export type SendEvent = (event: StoredEvent) => Promise<AttemptResult>;

const timeoutMs = 15_000;
/** The response is not read by Carnet. */
const maxBytes = 65_536;
/** The receiver is overloaded, or a proxy before it is (Standard Webhooks, "Retry schedule"). */
const overloaded: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const defaultPauseMs = 5_000;
const longestPauseMs = 86_400_000;

/** `Retry-After` (RFC 9110, section 10.2.3), in milliseconds from now. */
const retryAfterMs = (value: string | null, now: number): number | undefined => {
  if (value === null) return undefined;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return ms > 0 ? Math.min(ms, longestPauseMs) : undefined;
};

const reasonOf = (error: unknown): string => {
  const { reason } = error as { readonly reason?: unknown };
  return typeof reason === 'string' ? reason : 'unreachable';
};

/** The body of an event (Standard Webhooks): the same text in each attempt. */
const bodyOf = ({ id, type, timestamp, data }: StoredEvent): string => JSON.stringify({ type, timestamp, data, id });

/** Makes attempts to send events to a webhook. A redirect is a failure: it is never followed. */
export const createSendEvent = (
  { url, secret }: Pick<Webhook, 'url' | 'secret'>,
  { send, now, signal }: Clock & { readonly send: SendWebhook; readonly signal: AbortSignal },
): SendEvent => {
  const secrets = splitSecrets(secret).flatMap((each) => secretBytes(each) ?? []);
  return async (event) => {
    const body = bodyOf(event);
    const signed = signedHeaders(secrets, { id: event.id, timestamp: Math.floor(now() / 1_000), body });
    const headers = { ...signed, 'content-type': 'application/json' };
    try {
      const answer = await send({ url, method: 'POST', headers, body, timeoutMs, maxBytes, signal });
      if (answer.status >= 200 && answer.status < 300) return { status: 'delivered' };
      const reason = `http_${answer.status}`;
      if (answer.status === 410) return { status: 'gone', reason };
      if (!overloaded.has(answer.status)) return { status: 'failed', reason };
      const pauseMs = retryAfterMs(answer.headers.get('retry-after'), now()) ?? defaultPauseMs;
      return { status: 'failed', reason, pauseMs };
    } catch (error) {
      return signal.aborted ? { status: 'aborted' } : { status: 'failed', reason: reasonOf(error) };
    }
  };
};
