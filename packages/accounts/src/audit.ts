import type { AccountsEvent, AuditRecord } from './dependencies.ts';

type SignInEvent = Extract<AccountsEvent, { readonly type: 'sign_in' }>;

const denied: ReadonlySet<SignInEvent['result']> = new Set([
  ...(['refused', 'limited', 'expired', 'weak_password'] as const),
  ...(['denied', 'provider_failed', 'unknown_user', 'not_member'] as const),
]);

const signInRecord = ({ result, method, directory, subject, reason }: SignInEvent): AuditRecord => ({
  action: `sign_in.${method}`,
  outcome: denied.has(result) ? 'denied' : 'success',
  reason: reason ?? (denied.has(result) ? result : undefined),
  directory,
  subject,
});

type ManagementEvent = Extract<AccountsEvent, { readonly type: 'user' | 'group' }>;

const managementRecord = (event: ManagementEvent): AuditRecord => ({
  action: event.type === 'user' ? `user.${event.action}` : `group.${event.action}`,
  outcome: event.reason === undefined ? 'success' : 'denied',
  reason: event.reason,
  subject: event.subject,
  ...(event.type === 'group' && { group: event.group }),
  byAdmin: true,
});

const success = (action: AuditRecord['action'], subject: string, reason?: string): AuditRecord => ({
  action,
  outcome: 'success',
  reason,
  subject,
});

/** The record of an event. Undefined for an event that is only measured, and for the steps before a deletion. */
export const auditOf = (event: AccountsEvent): AuditRecord | undefined => {
  switch (event.type) {
    case 'directory':
    case 'cache':
      return undefined;
    case 'sign_in':
      return signInRecord(event);
    case 'user':
    case 'group':
      return managementRecord(event);
    case 'signed_up':
      return success('account.sign_up', event.subject);
    case 'invitation_accepted':
      return success('account.invitation_accepted', event.subject);
    case 'deletion':
      return event.action === 'revoke' ? undefined : success(`account.deletion_${event.action}`, event.subject);
    case 'email':
      return success(`account.email_${event.action}`, event.subject);
    case 'identity':
      return success(`identity.${event.action}`, event.subject, event.provider);
    case 'provider_logout':
      return success('session.provider_logout', event.subject, event.provider);
    case 'factor':
      return success(`factor.${event.action}`, event.subject, event.kind);
    case 'password_changed':
      return success('account.password', event.subject, event.by);
  }
};
