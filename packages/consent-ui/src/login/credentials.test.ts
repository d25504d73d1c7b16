import { expect, it } from 'vitest';
import { credentialsOf, loginNameOf } from './credentials.ts';

it.each(['', ' ', '\u00a0', 'a\0b', 'a\nb'])('refuses a login name that no user has: %j', (email) => {
  const refused = expect.objectContaining({ code: 'invalid_form', status: 400 });
  const form = new URLSearchParams({ email, password: 'secret' });
  expect(() => credentialsOf(form)).toThrow(refused);
  expect(() => loginNameOf(form)).toThrow(refused);
});
