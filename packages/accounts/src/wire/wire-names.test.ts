import { expect, it } from 'vitest';
import { operations } from './operations.ts';
import { fromWire, toWire, wireSchema } from './wire-names.ts';

const outputOf = (name: string) => {
  const found = operations.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`There is no operation ${name}.`);
  return found.output;
};

const user = { subject: 'people.1', name: 'Ada' };

it.each([
  ['signIn.password', { state: 'limited', retryAfterSeconds: 30 }, { state: 'limited', retry_after_seconds: 30 }],
  [
    'signIn.newPassword',
    { state: 'deletion', progress: 'p', user, deleteAt: new Date(0) },
    { state: 'deletion', progress: 'p', user, delete_at: '1970-01-01T00:00:00.000Z' },
  ],
  [
    'signIn.resume',
    { state: 'done', user, subject: 'people.1', acr: '1', amr: [], authTime: 7, claims: { givenName: 'A', a_b: 1 } },
    { state: 'done', user, subject: 'people.1', acr: '1', amr: [], auth_time: 7, claims: { givenName: 'A', a_b: 1 } },
  ],
  [
    'factors.list',
    { factors: [{ id: '1', kind: 'totp', label: 'App', createdAt: new Date(0) }] },
    { factors: [{ id: '1', kind: 'totp', label: 'App', created_at: '1970-01-01T00:00:00.000Z' }] },
  ],
  [
    'providers.finish',
    { state: 'sign_up', progress: 'p', user: { subject: '', name: 'Ada' } },
    { state: 'sign_up', progress: 'p', user: { subject: '', name: 'Ada' } },
  ],
])('a result of %s has its names and its dates over HTTP, and in process again', (name, result, body) => {
  const output = outputOf(name);
  const sent: unknown = JSON.parse(JSON.stringify(toWire(output, result)));
  expect(sent).toEqual(body);
  expect(fromWire(output, wireSchema(output).parse(sent))).toEqual(result);
});

it('the end of the sessions is a number of milliseconds over HTTP', () => {
  const can = { changePassword: true, editProfile: true, changeEmail: true, deleteAccount: true };
  const account = { claims: {}, sessionsEndedAt: new Date(1_500), can };
  const sent = toWire(outputOf('account.show'), account);
  expect(sent).toMatchObject({ sessions_ended_at: 1_500, can: { change_password: true } });
  expect(fromWire(outputOf('account.show'), sent)).toEqual(account);
});

it('a member that is not in the schema of a result is not answered', () => {
  const result = { state: 'limited', retryAfterSeconds: 30, subject: 'people.1', reason: 'wrong_password' };
  expect(toWire(outputOf('signIn.password'), result)).not.toHaveProperty('reason');
  expect(toWire(outputOf('factors.pin'), { factor: { id: '1', secret: 's' } })).toEqual({ factor: { id: '1' } });
});
