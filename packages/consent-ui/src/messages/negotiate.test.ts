import { describe, expect, it } from 'vitest';
import { allLanguages } from './languages.ts';
import { acceptedRanges, formatChoice, negotiate, parseChoice, preferred } from './negotiate.ts';

describe('the lookup of a language', () => {
  it.each([
    [['de'], 'de'],
    [['DE-ch-1996'], 'de'],
    [['zh', 'fr-CA'], 'fr'],
    [['pt-BR'], 'pt-BR'],
    [['pt-PT'], 'pt-BR'],
    [['ar-EG-u-nu-latn'], 'ar'],
    [['ja-JP'], 'ja'],
  ])('%j is %s', (ranges, language) => {
    expect(negotiate(ranges, allLanguages)).toBe(language);
  });

  it.each([[[]], [['']], [['*']], [['zh']], [['d']], [['de<script>']], [['__proto__']], [['x'.repeat(5000)]]])(
    '%j is none',
    (ranges) => {
      expect(negotiate(ranges, allLanguages)).toBeUndefined();
    },
  );

  it('knows the offered languages only', () => {
    expect(negotiate(['fr', 'de-AT'], ['en', 'de'])).toBe('de');
  });

  it.each([
    ['de, en;q=0.8, fr;q=0.9', ['de', 'fr', 'en']],
    ['da;q=0, en', ['en']],
    ['*', ['*']],
    ['', ['']],
  ])('the header %j is %j', (header, ranges) => {
    expect(acceptedRanges(header)).toEqual(ranges);
  });
});

describe('the language of a page', () => {
  const sources = { clicked: undefined, requested: undefined, choice: undefined, accepted: undefined };

  it('the language is that of the client, then the earlier choice, then that of the browser', () => {
    const choice = parseChoice('ja');
    expect(preferred({ ...sources, requested: 'fr', choice, accepted: 'de' })).toBe('fr');
    expect(preferred({ ...sources, choice, accepted: 'de' })).toBe('ja');
    expect(preferred({ ...sources, accepted: 'de' })).toBe('de');
    expect(preferred(sources)).toBeUndefined();
  });

  it('the button that the user clicks chooses the language', () => {
    expect(preferred({ clicked: 'es', requested: 'fr', choice: parseChoice('ja'), accepted: 'de' })).toBe('es');
  });

  it('stays the chosen one until the client asks for another than at the time of the choice', () => {
    const choice = parseChoice(formatChoice({ chosen: 'de', over: 'fr' }));
    expect(preferred({ ...sources, choice, requested: 'fr' })).toBe('de');
    expect(preferred({ ...sources, choice, requested: 'es' })).toBe('es');
    expect(preferred({ ...sources, choice })).toBe('de');
  });

  it.each([undefined, '', 'xx', 'xx.de', '__proto__'])('%j is no choice', (value) => {
    expect(parseChoice(value)).toBeUndefined();
  });
});
