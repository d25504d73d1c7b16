import { expect, it } from 'vitest';
import { operations } from './operations.ts';
import { wireSchema } from './wire-names.ts';

const operation = (asked: string) => {
  const found = operations.find(({ path }) => path === asked);
  if (found === undefined) throw new Error(`There is no operation ${asked}.`);
  return found;
};

it.each([
  ['factors/list', { owner: { subject: 'people.\0' } }],
  ['factors/remove', { owner: { subject: 'people.1' }, id: '\0' }],
  ['factors/begin', { owner: { subject: 'people.1' }, kind: 'totp', issuer: 'Example', label: '\0' }],
  ['account/show', { subject: '\0' }],
] as const)('%s refuses a NUL, with which Postgres would fail as in an outage: %j', (name, input) => {
  expect(operation(name).input.safeParse(input).success).toBe(false);
});

it('settings of an earlier server are read', () => {
  const earlier = {
    sign_up: true,
    password_recovery: true,
    passkeys: true,
    identifier_first: false,
    minimum_password_length: 8,
    second_factor: 'optional',
    factor_kinds: ['totp'],
    acr_values: [],
  };
  expect(wireSchema(operation('settings').output).parse(earlier)).toEqual({
    ...earlier,
    email_sign_in: false,
    organizations: false,
    providers_only: false,
    scopes: {},
  });
});
