import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Messages } from './en.ts';
import { allLanguages, messages } from './languages.ts';
import { plural } from './plural.ts';

const maximumArguments = 4;

/** Every text by its path; functions are called with markers. */
const texts = (value: unknown, path = ''): [path: string, text: string][] => {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') {
    const given = Array.from({ length: maximumArguments }, (_, index) =>
      /tooMany|minutes/i.test(path) ? 5 : `[${index}]`,
    );
    return [[path, renderToStaticMarkup(value(...given))]];
  }
  return Object.entries(value as Messages).flatMap(([key, member]) => texts(member, `${path}.${key}`));
};

const english = new Map(texts(messages.en));
const markers = (text: string) => (text.match(/\[\d\]/g) ?? []).toSorted();

describe.each(allLanguages.filter((language) => language !== 'en'))('the texts in %s', (language) => {
  const translated = texts(messages[language]);

  it('are all there, with the same values inside', () => {
    expect(translated.map(([path]) => path).toSorted()).toEqual([...english.keys()].toSorted());
    const different = translated.filter(
      ([path, text]) => String(markers(text)) !== String(markers(english.get(path) ?? '')),
    );
    expect(different).toEqual([]);
  });

  it('are translated', () => {
    expect(translated.filter(([, text]) => text.trim() === '')).toEqual([]);
    // Words that the languages share, such as "Code" or "Error", are short.
    const same = translated.filter(([path, text]) => text.length > 14 && english.get(path) === text);
    expect(same).toEqual([]);
  });
});

it('numbers have the form of their language', () => {
  const minutes = messages.ar.login.tooMany;
  expect(new Set([1, 2, 3, 11, 100].map(minutes)).size).toBe(5);
  expect(messages.en.login.tooMany(1)).toContain('a minute');
  expect(messages.en.login.tooMany(3)).toContain('3 minutes');
  expect(plural('fr', { one: 'x', other: 'y' })(0)).toBe('x');
});
