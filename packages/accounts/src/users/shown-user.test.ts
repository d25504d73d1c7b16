import { expect, it } from 'vitest';
import { shownUser } from './shown-user.ts';

it.each([
  [{ name: 'Ada', email: 'a@x.example' }, undefined, { name: 'Ada', detail: 'a@x.example' }],
  [{ preferred_username: 'ada', email: 'a@x.example' }, 'ada', { name: 'ada', detail: 'a@x.example' }],
  [{ email: 'a@x.example' }, undefined, { name: 'a@x.example' }],
  [{ name: 'Ada' }, 'ada', { name: 'Ada', detail: 'ada' }],
  [{ name: 7, email: '' }, undefined, { name: 'u1' }],
])('a user with %j and the login %s is shown as %j', (claims, login, shown) => {
  expect(shownUser({ subject: 'u1', claims, login })).toEqual({ subject: 'u1', ...shown });
});
