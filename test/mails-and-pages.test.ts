import { expect, it } from 'vitest';
import { mailLanguages } from '../packages/accounts/src/mail/languages.ts';
import { messages } from '../packages/consent-ui/src/messages/languages.ts';

/** Words of the informal address. The pages and the emails use the formal one: usted, Sie, vous, você. */
const informal: Readonly<Record<string, RegExp>> = {
  es: /(?<!\p{L})(?:tú|tus?|te|ti|has|eres|tienes)(?!\p{L})/iu,
  de: /(?<!\p{L})(?:du|dich|dir|dein\p{L}*)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:tu|ton|ta|tes|toi)(?!\p{L})/iu,
  'pt-BR': /(?<!\p{L})(?:tu|teus?|tuas?|ti)(?!\p{L})/iu,
};

const textsOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [String(value)];

const homes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { emails: mailLanguages, pages: messages };

it.each(Object.keys(homes).flatMap((home) => Object.keys(informal).map((language) => [home, language] as const)))(
  'the %s in %s address the user formally',
  (home, language) => {
    const found = textsOf(homes[home]?.[language]);
    expect(found.length).toBeGreaterThan(20);
    expect(found.filter((text) => informal[language]?.test(text))).toEqual([]);
  },
);

it.each(Object.entries(mailLanguages))(
  'the emails in %s name the link of the sign-in page as the page does',
  (language, mails) => {
    const { forgot } = messages[language as keyof typeof messages].recovery;
    for (const { note } of [mails.alreadyRegistered, mails.passwordChanged])
      expect(note.replaceAll('\u00a0', ' ')).toContain(forgot.replaceAll('\u00a0', ' '));
  },
);
