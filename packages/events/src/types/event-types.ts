import type { EventMember } from './members.ts';

export interface EventType {
  readonly summary: string;
  /** The members of `data` besides those of every type. */
  readonly members: readonly EventMember[];
}

const ofClient = ['client_id'] as const;
const ofUser = ['subject'] as const;
const ofGroup = ['group'] as const;
const ofGroupAndUser = ['group', 'subject'] as const;
const ofUserAndClient = ['subject', 'client_id'] as const;
const ofCredential = ['subject', 'credential'] as const;
const ofSignIn = ['subject', 'method', 'directory'] as const;
const ofKey = ['key_set', 'kid'] as const;
const ofToken = ['subject', 'client_id', 'grant_type', 'registered_auth_method'] as const;

/**
 * All types of events. A type is never removed, and its members keep their meaning: new members and new types may be added. The
 * names can be mapped to events of CAEP and RISC (`session.revoked`, `credential.*`, `user.disabled`).
 */
export const eventTypes = {
  'login.succeeded': {
    summary: 'A login request was granted, also with a remembered login: the client gets its code or its tokens.',
    members: ofUserAndClient,
  },
  'login.denied': {
    summary: 'A login request was not granted, for example because a login or a consent was rejected.',
    members: ofUserAndClient,
  },
  'login.refused': {
    summary: 'A login was resumed in another browser, or without cookies, and refused.',
    members: ofClient,
  },
  'request.refused': {
    summary: 'A request of a browser was answered with an error page, which shows the `request_id`.',
    members: [],
  },
  'session.ended': { summary: 'A user has signed out.', members: ofUserAndClient },
  'session.revoked': {
    summary:
      'Sessions of a user were ended: by an administrator, at the account page, or by a sign-out at a provider (`provider`).',
    members: ['subject', 'provider'],
  },
  'logout.notified': { summary: 'A client was notified of a logout.', members: ofUserAndClient },
  'logout.notification_failed': { summary: 'A client could not be notified of a logout.', members: ofUserAndClient },
  'token.issued': { summary: 'The token endpoint has issued tokens.', members: ofToken },
  'token.refused': { summary: 'The token endpoint has refused a request.', members: ofToken },
  'token.revoked': { summary: 'A client has revoked a token.', members: ofToken },
  'token.revocation_refused': { summary: 'The revocation endpoint has refused a request.', members: ofToken },
  'consent.revoked': { summary: 'Consents of a user were revoked, with their grants.', members: ofUser },
  'device.user_code_refused': { summary: 'A user code of a device was refused.', members: [] },
  'backchannel.approved': { summary: 'A user has approved a backchannel request (CIBA).', members: ofUserAndClient },
  'backchannel.denied': { summary: 'A user has denied a backchannel request (CIBA).', members: ofUserAndClient },
  'sign_in.accepted': {
    summary: 'The password or a factor of a user was correct, or a provider has signed the user in.',
    members: ofSignIn,
  },
  'sign_in.refused': {
    summary: 'A password or a factor was wrong, or a step of a sign-in was refused for another `reason`.',
    members: ofSignIn,
  },
  'user.signed_up': { summary: 'A user has created an account.', members: ofUser },
  'user.invited': { summary: 'An administrator has invited a user by email.', members: ofUser },
  'user.recovery_sent': {
    summary: 'An administrator has sent a user an email to set a new password.',
    members: ofUser,
  },
  'user.invitation_accepted': { summary: 'A user has accepted an invitation, and chosen a password.', members: ofUser },
  'user.created': { summary: 'An administrator has created a user.', members: ofUser },
  'user.updated': { summary: 'An administrator has changed a user.', members: ofUser },
  'user.disabled': { summary: 'An administrator has disabled a user.', members: ofUser },
  'user.unlocked': { summary: 'An administrator has removed the limits after failed attempts.', members: ofUser },
  'user.deletion_requested': { summary: 'A user has requested the deletion of the account.', members: ofUser },
  'user.deletion_cancelled': { summary: 'A user has cancelled the deletion of the account.', members: ofUser },
  'user.deleted': { summary: 'A user was deleted.', members: ofUser },
  'user.email_requested': { summary: 'A user has requested another email address.', members: ofUser },
  'user.email_changed': { summary: 'The email address of a user has changed.', members: ofUser },
  'group.created': { summary: 'A group was created.', members: ofGroup },
  'group.updated': { summary: 'A group was changed.', members: ofGroup },
  'group.deleted': { summary: 'A group was deleted.', members: ofGroup },
  'group.member_added': { summary: 'A user has become a member of a group.', members: ofGroupAndUser },
  'group.member_removed': { summary: 'A user is no longer a member of a group.', members: ofGroupAndUser },
  'identity.linked': { summary: 'An identity at a provider was linked to a user.', members: ['subject', 'provider'] },
  'identity.unlinked': { summary: 'An identity at a provider was unlinked.', members: ['subject', 'provider'] },
  'credential.added': { summary: 'A second factor was added.', members: ofCredential },
  'credential.changed': { summary: 'A password was changed.', members: ofCredential },
  'credential.removed': { summary: 'A second factor was removed.', members: ofCredential },
  'credential.reset': { summary: 'An administrator has removed second factors.', members: ofCredential },
  'client.created': { summary: 'A client was registered.', members: ofClient },
  'client.updated': { summary: 'A client was changed.', members: ofClient },
  'client.deleted': { summary: 'A client was deleted.', members: ofClient },
  'client.secret_rotated': { summary: 'A client has a new secret.', members: ofClient },
  'client.secrets_revoked': { summary: 'The former secrets of a client were revoked.', members: ofClient },
  'client.document_read': {
    summary: 'A process has read a new or changed metadata document of a client.',
    members: ofClient,
  },
  'client.document_refused': { summary: 'The metadata document of a client was refused.', members: ofClient },
  'key.created': { summary: 'A key was created.', members: ofKey },
  'key.updated': { summary: 'Keys were replaced.', members: ofKey },
  'key.deleted': { summary: 'Keys were deleted.', members: ofKey },
  'directory.purged': { summary: 'The user cache was purged.', members: [] },
  'webhook.retried': { summary: 'An administrator has had the failed events of a webhook sent again.', members: [] },
  'webhook.test': { summary: 'A test that an administrator has requested. It is sent, and not stored.', members: [] },
  'admin.refused': {
    summary: 'A change by the admin API, by SCIM or in process was refused, or failed.',
    members: ['action', 'subject', 'group', 'client_id', 'key_set', 'kid'],
  },
} as const satisfies Readonly<Record<string, EventType>>;

export type EventTypeName = keyof typeof eventTypes;

/** Whether one of the patterns is the type, or its first part with `.*`. `*` is every type. */
export const isWanted = (type: string, patterns: readonly string[]): boolean =>
  patterns.some(
    (pattern) =>
      pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );

/** Everything that `isWanted` accepts as a pattern. */
export const typePatterns: ReadonlySet<string> = new Set([
  '*',
  ...Object.keys(eventTypes).flatMap((type) => [type, `${type.split('.')[0]}.*`]),
]);
