import type { Context, Middleware } from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Audit, AuditAction } from '../telemetry/audit.ts';
import { authMethodMismatch } from './auth-method.ts';
import { routes } from './paths.ts';
import { requestIdOf } from './request-state.ts';

/** The endpoints whose calls are recorded. */
const actions: ReadonlyMap<string, AuditAction> = new Map([
  [routes.token, 'token'],
  [routes.revocation, 'revocation'],
]);

/** The audit action of a call; undefined if it is not recorded. */
export const auditActionOf = (method: string | undefined, path: string): AuditAction | undefined =>
  method === 'POST' ? actions.get(path) : undefined;

const pending: ReadonlySet<string | undefined> = new Set(['authorization_pending', 'slow_down']);

/** Whether an error answers a poll before the user has decided. There is nothing to record then. */
export const isUndecided = (error: string | undefined): boolean => pending.has(error);

const subjectOf = ({ entities }: KoaContextWithOIDC['oidc']): string | undefined =>
  (entities.Account as { accountId?: string } | undefined)?.accountId;

/** Writes the audit record of a token or revocation request, after the commit. */
export const createAuditMiddleware =
  (audit: Audit): Middleware =>
  async (ctx: Context, next) => {
    await next();
    const action = auditActionOf(ctx.method, ctx.path);
    if (action === undefined) return;
    const oidc = ctx.oidc as KoaContextWithOIDC['oidc'] | undefined;
    const { error } = (ctx.body ?? {}) as { error?: string };
    if (isUndecided(error)) return;
    const grantType = action === 'token' ? oidc?.params?.grant_type : undefined;
    audit({
      action,
      outcome: ctx.status < 400 ? 'success' : 'denied',
      reason: error,
      registeredAuthMethod: authMethodMismatch(ctx)?.registered,
      clientId: oidc?.client?.clientId,
      subject: oidc && subjectOf(oidc),
      // A refused request is recorded without its grant type.
      grantType: ctx.status < 400 ? (grantType as string | undefined) : undefined,
      requestId: requestIdOf(ctx),
    });
  };
