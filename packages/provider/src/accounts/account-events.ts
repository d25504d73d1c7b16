import type { AccountsEvent } from '@carnet/accounts';
import { type Audit, type AuditEvent, adminRequest } from '../telemetry/audit.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

export interface AccountEventsDependencies {
  readonly telemetry: Pick<Telemetry, 'audit' | 'metrics'>;
  /** Ends the remembered logins of a user, and revokes the tokens if that is configured or `isDeleted`. */
  readonly revoke: (subject: string, isDeleted: boolean) => Promise<void>;
}

type Kind<Type extends AccountsEvent['type']> = Extract<AccountsEvent, { readonly type: Type }>;

const denied: ReadonlySet<Kind<'sign_in'>['result']> = new Set(['refused', 'limited', 'expired', 'weak_password']);

const signInRecord = ({ result, method, directory, subject, reason }: Kind<'sign_in'>): AuditEvent => ({
  action: `sign_in.${method}`,
  outcome: denied.has(result) ? 'denied' : 'success',
  reason: reason ?? (denied.has(result) ? result : undefined),
  directory,
  subject,
});

/**
 * Handles the events of the accounts API: audit records, metrics, and the end of sessions after a change of the password or a deletion.
 * Events hold ids, results and reasons only.
 */
export const createAccountEvents = ({ telemetry, revoke }: AccountEventsDependencies) => {
  const audit: Audit = (event) => telemetry.audit({ ...event, ...adminRequest.getStore() });
  return async (event: AccountsEvent): Promise<void> => {
    switch (event.type) {
      case 'sign_in':
        telemetry.metrics.signIn(event.method, event.result);
        return audit(signInRecord(event));
      case 'directory':
        return telemetry.metrics.directory(event.directory, event.step, event.durationMs, event.failed);
      case 'cache':
        return telemetry.metrics.userCache(event.directory, event.hit);
      case 'signed_up':
        return audit({ action: 'account.sign_up', outcome: 'success', subject: event.subject });
      case 'deletion':
        if (event.action !== 'revoke')
          audit({ action: `account.deletion_${event.action}`, outcome: 'success', subject: event.subject });
        // Once more when it is requested: a sign-in may have been completed since the first time.
        return event.action === 'requested' || event.action === 'revoke' ? revoke(event.subject, true) : undefined;
      case 'email':
        return audit({ action: `account.email_${event.action}`, outcome: 'success', subject: event.subject });
      case 'factor':
        return audit({
          action: `factor.${event.action}`,
          outcome: 'success',
          reason: event.kind,
          subject: event.subject,
        });
      case 'password_changed':
        audit({ action: 'account.password', outcome: 'success', reason: event.by, subject: event.subject });
        return revoke(event.subject, false);
    }
  };
};
