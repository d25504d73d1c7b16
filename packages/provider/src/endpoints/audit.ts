import type { HttpResponse } from '../http/types.ts';
import { routes } from '../library/paths.ts';
import type { Audit, AuditAction } from '../telemetry/audit.ts';

/** The endpoints whose calls are recorded. */
const actions: ReadonlyMap<string, AuditAction> = new Map([
  [routes.token, 'token'],
  [routes.revocation, 'revocation'],
]);

/** Errors that answer a poll before the user has decided. There is nothing to record then. */
const pending: ReadonlySet<string | undefined> = new Set(['authorization_pending', 'slow_down']);

/**
 * The client and the user of a request, for its audit record. An endpoint sets them as soon as they are known, because the
 * store may fail afterwards.
 */
export interface AuditContext {
  clientId?: string;
  subject?: string;
  grantType?: string;
  registeredAuthMethod?: string;
}

interface AuditedRequest {
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  readonly auditContext: AuditContext;
}

/** Writes the audit record of a token or revocation request, after its commit. */
export type AuditEndpoint = (request: AuditedRequest, response: Pick<HttpResponse, 'status' | 'body'>) => void;

export const createAuditEndpoint =
  (audit: Audit): AuditEndpoint =>
  ({ method, path, requestId, auditContext }, { status, body }) => {
    const action = method === 'POST' ? actions.get(path) : undefined;
    const isRefused = status >= 400;
    const reason = isRefused ? (body as { readonly error?: string } | undefined)?.error : undefined;
    if (action === undefined || pending.has(reason)) return;
    // A refused request is recorded without its grant type.
    const grantType = isRefused ? undefined : auditContext.grantType;
    audit({ action, outcome: isRefused ? 'denied' : 'success', reason, ...auditContext, grantType, requestId });
  };
