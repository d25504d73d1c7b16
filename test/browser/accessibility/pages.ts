import { describe, expect } from 'vitest';
import { test } from '../test.ts';
import { journeys } from './journeys.ts';
import { problemsOf, type Reading } from './wcag.ts';

/** The tests of the pages of sign-in, sign-out, devices and errors. */
export const describePages = (reading: Reading): void => {
  describe('WCAG 2.2 AA', () => {
    test.for(journeys)(
      `has no violation on the pages of $name in ${reading.locale}`,
      async (journey, { stack, newPerson }) => {
        const { page } = await newPerson({ locale: reading.locale, reducedMotion: 'reduce' });
        expect(await problemsOf(page, stack, reading, journey)).toEqual([]);
      },
    );
  });
};
