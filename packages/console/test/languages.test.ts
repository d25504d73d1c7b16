import { expect, test } from 'vitest';
import { clientImportMessages } from '../src/messages/client-import/index.ts';
import { clientsMessages } from '../src/messages/clients/index.ts';
import { configurationMessages } from '../src/messages/configuration/index.ts';
import { keysMessages } from '../src/messages/keys/index.ts';
import { allLanguages } from '../src/messages/languages.ts';
import { overviewMessages } from '../src/messages/overview/index.ts';
import { refusalsMessages } from '../src/messages/refusals/index.ts';
import { sessionsMessages } from '../src/messages/sessions/index.ts';

const textsOf = (value: unknown, path = ''): readonly (readonly [string, string])[] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([name, each]) => textsOf(each, `${path}.${name}`));

const placeholdersIn = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

test.each([
  ['clients', clientsMessages],
  ['the import of clients', clientImportMessages],
  ['keys', keysMessages],
  ['the overview', overviewMessages],
  ['configuration', configurationMessages],
  ['refusals', refusalsMessages],
  ['sessions', sessionsMessages],
] as const)('the texts about %s have the placeholders of the English ones in every language', (_, messages) => {
  const english = textsOf(messages('en'));
  for (const language of allLanguages) {
    const texts = new Map(textsOf(messages(language)));
    for (const [path, text] of english) {
      const translated = texts.get(path) ?? '';
      expect([path, ...placeholdersIn(translated)]).toEqual([path, ...placeholdersIn(text)]);
      expect(translated === '').toBe(text === '');
    }
  }
});
