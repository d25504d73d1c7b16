import type { Logger } from './logger.ts';

/** Something that an operator may have to account for later. Ids only: no token, challenge, secret or claim. */
export interface AuditEvent {
  /** What was attempted. */
  readonly action: 'login' | 'logout' | 'flow.resume';
  readonly outcome: 'success' | 'denied';
  /** Why it was not a success: a code, never the text of an error. */
  readonly reason?: string;
  readonly clientId?: string;
  readonly subject?: string;
}

export type Audit = (event: AuditEvent) => void;

/** Writes audit events to the log, each under the member `audit`, so that they can be routed by it. */
export const audit =
  (logger: Pick<Logger, 'info' | 'warn'>): Audit =>
  (event) =>
    logger[event.outcome === 'success' ? 'info' : 'warn']({ audit: event }, 'audit');
