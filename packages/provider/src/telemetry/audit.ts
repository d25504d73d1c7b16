import { AsyncLocalStorage } from 'node:async_hooks';
import { type Logger, lineWriterOf } from './logger.ts';

/** The action: of a user, `<thing>.<verb>` of the admin API, or the endpoint that a client called. */
export type AuditAction = 'login' | 'logout' | 'flow.resume' | 'token' | 'revocation' | `${string}.${string}`;

/** An event that an operator may have to account for. Ids only: no token, challenge, secret or claim. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly outcome: 'success' | 'denied';
  /** Why it failed, or what was changed: a code, never the text of an error. */
  readonly reason?: string;
  readonly clientId?: string;
  /** The `token_endpoint_auth_method` of the client, where the request used another and was refused. */
  readonly registeredAuthMethod?: string;
  /** The set of keys that was changed, and the key, where the request names one. */
  readonly keySet?: string;
  readonly kid?: string;
  /** The directory of the user, if the user was found. */
  readonly directory?: string;
  /** The subject of the user who acted, or whom the action concerns, and the id of the group that was changed. */
  readonly subject?: string;
  readonly group?: string | undefined;
  /** The admin API, SCIM or the app that mounts Carnet did it. */
  readonly byAdmin?: true;
  /** The name of the admin token of the request, never its value. `admin.token` is the one without a name. */
  readonly adminTokenName?: string | undefined;
  /** The grant type of the request (RFC 6749, section 1.3). */
  readonly grantType?: string;
  /** The id of the request in the log. */
  readonly requestId?: string;
}

/** The request of the admin API of this call: its caller, named when it is authorized, and the client that it creates. */
export const adminRequest = new AsyncLocalStorage<{ adminTokenName?: string; clientId?: string }>();

export type Audit = (event: AuditEvent) => void;

/** Writes audit events to the log, each under the member `audit`, so that they can be routed by it. */
export const audit = (logger: Pick<Logger, 'info' | 'warn' | 'writeLine'>): Audit => {
  const writeLine = lineWriterOf(logger);
  return (event) => writeLine(event.outcome === 'success' ? 'info' : 'warn', { audit: event }, 'audit');
};
