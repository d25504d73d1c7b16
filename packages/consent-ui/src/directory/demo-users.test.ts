import { expect, it } from 'vitest';
import { demoUsers } from './demo-users.ts';

/** OpenID Connect Core 1.0, section 5.1, but for `sub`. */
const standardClaims =
  'name given_name family_name middle_name nickname preferred_username profile picture website email email_verified gender ' +
  'birthdate zoneinfo locale phone_number phone_number_verified address updated_at';

it('one built-in user has every standard claim', () => {
  expect(Object.keys(demoUsers[0]?.claims ?? {}).toSorted()).toEqual(standardClaims.split(' ').toSorted());
});
