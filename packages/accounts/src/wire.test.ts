import { expect, it } from 'vitest';
import { operations } from './wire.ts';

it.each([
  ['factors/list', { owner: { subject: 'people.\0' } }],
  ['factors/remove', { owner: { subject: 'people.1' }, id: '\0' }],
  ['factors/begin', { owner: { subject: 'people.1' }, kind: 'totp', issuer: 'Example', label: '\0' }],
  ['account/show', { subject: '\0' }],
] as const)('%s refuses a NUL, with which Postgres would fail as in an outage: %j', (name, input) => {
  expect(operations[name].input.safeParse(input).success).toBe(false);
});
