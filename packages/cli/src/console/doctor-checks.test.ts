import { expect, test } from 'vitest';
import { fail, ok } from '../doctor/check.ts';
import { messageOf } from './doctor-checks.ts';

test('the message of a check has its remedy as a sentence of its own', () => {
  expect(messageOf(ok('answers in 1 ms'))).toBe('answers in 1 ms');
  expect(messageOf(fail('it is not https', 'Use https.'))).toBe('it is not https. Use https.');
  expect(messageOf(fail('could not be checked: It failed.', 'Report it.'))).toBe(
    'could not be checked: It failed. Report it.',
  );
});
