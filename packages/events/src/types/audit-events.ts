import { type EventTypeName, eventTypes } from './event-types.ts';
import { commonMembers, type EventData, type EventMember } from './members.ts';

/** An audit record of Carnet. */
export interface AuditRecord {
  readonly action: string;
  readonly outcome: 'success' | 'denied';
  readonly reason?: string | undefined;
  readonly subject?: string | undefined;
  readonly group?: string | undefined;
  readonly clientId?: string | undefined;
  readonly directory?: string | undefined;
  readonly grantType?: string | undefined;
  readonly registeredAuthMethod?: string | undefined;
  readonly keySet?: string | undefined;
  readonly kid?: string | undefined;
  readonly byAdmin?: true | undefined;
  readonly adminTokenName?: string | undefined;
  readonly requestId?: string | undefined;
}

/** An event before it is stored. */
export interface RecordedEvent {
  readonly type: EventTypeName;
  /** When it happened: RFC 3339, in UTC. */
  readonly timestamp: string;
  readonly data: EventData;
}

interface Mapping {
  readonly success?: EventTypeName;
  /** Default: `admin.refused`. */
  readonly denied?: EventTypeName;
  /** Members that follow from the action. */
  readonly data?: EventData;
  /** The member that the `reason` of the record is. */
  readonly reasonIs?: EventMember;
}

const signInBy = (method: string): Mapping => ({
  success: 'sign_in.accepted',
  denied: 'sign_in.refused',
  data: { method },
});

/** The event of each action of the audit log. */
const eventOfAction: Readonly<Record<string, Mapping>> = {
  login: { success: 'login.succeeded', denied: 'login.denied' },
  logout: { success: 'session.ended' },
  'flow.resume': { denied: 'login.refused' },
  'browser.request': { denied: 'request.refused' },
  token: { success: 'token.issued', denied: 'token.refused' },
  revocation: { success: 'token.revoked', denied: 'token.revocation_refused' },
  'logout.backchannel': { success: 'logout.notified', denied: 'logout.notification_failed' },
  'device.user_code': { denied: 'device.user_code_refused' },
  'backchannel.authentication': { success: 'backchannel.approved', denied: 'backchannel.denied' },
  'session.revoke': { success: 'session.revoked' },
  'session.provider_logout': { success: 'session.revoked', reasonIs: 'provider' },
  'consent.revoke': { success: 'consent.revoked' },
  'sign_in.password': signInBy('password'),
  'sign_in.email': signInBy('email'),
  'sign_in.factor': signInBy('factor'),
  'sign_in.passkey': signInBy('passkey'),
  'sign_in.provider': signInBy('provider'),
  'sign_in.validate_check': signInBy('validate_check'),
  'user.create': { success: 'user.created' },
  'user.update': { success: 'user.updated' },
  'user.disable': { success: 'user.disabled' },
  'user.unlock': { success: 'user.unlocked' },
  'user.delete': { success: 'user.deleted' },
  'user.end_sessions': { success: 'session.revoked' },
  'user.invite': { success: 'user.invited' },
  'user.send_recovery': { success: 'user.recovery_sent' },
  'group.create': { success: 'group.created' },
  'group.update': { success: 'group.updated' },
  'group.delete': { success: 'group.deleted' },
  'group.add': { success: 'group.member_added' },
  'group.remove': { success: 'group.member_removed' },
  'account.sign_up': { success: 'user.signed_up' },
  'account.invitation_accepted': { success: 'user.invitation_accepted' },
  'account.deletion_requested': { success: 'user.deletion_requested' },
  'account.deletion_cancelled': { success: 'user.deletion_cancelled' },
  'account.deletion_deleted': { success: 'user.deleted' },
  'account.email_requested': { success: 'user.email_requested' },
  'account.email_changed': { success: 'user.email_changed' },
  'account.password': { success: 'credential.changed', data: { credential: 'password' } },
  'identity.linked': { success: 'identity.linked', reasonIs: 'provider' },
  'identity.unlinked': { success: 'identity.unlinked', reasonIs: 'provider' },
  'factor.added': { success: 'credential.added', reasonIs: 'credential' },
  'factor.removed': { success: 'credential.removed', reasonIs: 'credential' },
  'factor.reset': { success: 'credential.reset', reasonIs: 'credential' },
  'client.create': { success: 'client.created' },
  'client.replace': { success: 'client.updated' },
  'client.update': { success: 'client.updated' },
  'client.patch': { success: 'client.updated' },
  'client.lifespans': { success: 'client.updated' },
  'client.delete': { success: 'client.deleted' },
  'client.remove': { success: 'client.deleted' },
  'client.rotate_secret': { success: 'client.secret_rotated' },
  'client.forget_secrets': { success: 'client.secrets_revoked' },
  'client.document': { success: 'client.document_read', denied: 'client.document_refused' },
  'key.create': { success: 'key.created' },
  'key.set': { success: 'key.updated' },
  'key.set_all': { success: 'key.updated' },
  'key.delete': { success: 'key.deleted' },
  'key.delete_all': { success: 'key.deleted' },
  'directory.purge': { success: 'directory.purged' },
  'webhook.retry': { success: 'webhook.retried' },
};

/** The members of the events of each type. Nothing else of a record becomes a part of an event. */
const membersOfType: ReadonlyMap<string, readonly EventMember[]> = new Map(
  Object.entries(eventTypes).map(([type, { members }]) => [type, [...commonMembers, ...members]]),
);

/** The event of an audit record. Undefined for an action without one. */
export const eventOf = (record: AuditRecord, at: number): RecordedEvent | undefined => {
  const mapping = eventOfAction[record.action];
  const { success, denied = 'admin.refused', data, reasonIs } = mapping ?? {};
  const type = record.outcome === 'success' ? success : denied;
  if (mapping === undefined || type === undefined) return undefined;
  const given: EventData = {
    outcome: record.outcome,
    reason: record.reason,
    subject: record.subject,
    group: record.group,
    client_id: record.clientId,
    directory: record.directory,
    grant_type: record.grantType,
    registered_auth_method: record.registeredAuthMethod,
    key_set: record.keySet,
    kid: record.kid,
    action: record.action,
    by_admin: record.byAdmin,
    admin_token: record.adminTokenName,
    request_id: record.requestId,
    ...data,
    ...(reasonIs !== undefined && { [reasonIs]: record.reason, reason: undefined }),
  };
  const members = (membersOfType.get(type) ?? []).map((member) => [member, given[member]] as const);
  return {
    type,
    timestamp: new Date(at).toISOString(),
    data: Object.fromEntries(members.filter(([, value]) => value !== undefined)),
  };
};

/** The actions of the audit log that become events. */
export const auditActions: ReadonlySet<string> = new Set(Object.keys(eventOfAction));
