import type { Operator } from '../access/operator.ts';

/** The part of a logger that audit records need. */
export interface AuditLogger {
  info(fields: object, message: string): void;
}

/** Who or what a change is about: ids only, never a secret or a claim. */
export interface AuditAbout {
  readonly clientId?: string;
  readonly subject?: string;
  readonly sid?: string;
  readonly consentRequestId?: string;
  readonly keySet?: string;
  readonly kid?: string;
  readonly webhook?: string;
}

/** `action` is `console.<noun>.<verb>`, such as `console.client.rotateSecret`. */
export type AuditChange = (action: `console.${string}.${string}`, about: AuditAbout) => void;

/** Records who changed what. The records of Carnet name the change, too, but not the operator. */
export const createAudit =
  (logger: AuditLogger, operator: Operator): AuditChange =>
  (action, about) =>
    logger.info({ audit: { action, outcome: 'success', operator: operator.subject, ...about } }, 'audit');
