import { describe, expect } from 'vitest';
import { journeys } from '../accessibility/journeys.ts';
import { casesOf, problemsOf } from '../accessibility/wcag.ts';
import { test } from '../test.ts';

describe('WCAG 2.2 AA', () => {
  test.for(casesOf(journeys))(
    'has no violation on the pages of $name in $locale',
    async (each, { stack, newPerson }) => {
      const { page } = await newPerson({ locale: each.locale, reducedMotion: 'reduce' });
      expect(await problemsOf(page, stack, each)).toEqual([]);
    },
  );
});
