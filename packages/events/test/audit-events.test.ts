import { expect, it } from 'vitest';
import { type AuditRecord, eventOf } from '../src/types/audit-events.ts';

const at = Date.parse('2026-11-26T08:00:00Z');

const eventFor = (action: string, more: Partial<AuditRecord> = {}) =>
  eventOf({ action, outcome: 'success', ...more }, at);

it('a sign-out at a provider is an end of sessions, with the name of the provider', () => {
  expect(eventFor('session.provider_logout', { subject: 'users.1', reason: 'corp' })).toEqual({
    type: 'session.revoked',
    timestamp: '2026-11-26T08:00:00.000Z',
    data: { outcome: 'success', subject: 'users.1', provider: 'corp' },
  });
});

it('the events of groups have the id of the group, and those of members the subject', () => {
  expect(eventFor('group.create', { group: 'g1', byAdmin: true })).toMatchObject({
    type: 'group.created',
    data: { group: 'g1', by_admin: true },
  });
  expect(eventFor('group.add', { group: 'g1', subject: 'users.1' })).toMatchObject({
    type: 'group.member_added',
    data: { group: 'g1', subject: 'users.1' },
  });
  expect(eventFor('group.delete', { group: 'g1', outcome: 'denied', reason: 'not_found' })).toMatchObject({
    type: 'admin.refused',
    data: { action: 'group.delete', group: 'g1', reason: 'not_found' },
  });
});

it('an invitation and its acceptance are events of the user', () => {
  expect(eventFor('user.invite', { subject: 'users.1' })?.type).toBe('user.invited');
  expect(eventFor('account.invitation_accepted', { subject: 'users.1' })?.type).toBe('user.invitation_accepted');
});
