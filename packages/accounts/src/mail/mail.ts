import { escapeHtml } from '@carnet/adapter-contract/kit';
import type { FactorKind } from '../second-factors/index.ts';
import { mailLanguageOf, mailLanguages } from './languages.ts';
import { type MailTemplates, templateKey } from './templates/read-templates.ts';
import { fillTemplate } from './templates/template.ts';
import type { MailKind, MailText, MailTexts } from './texts/mail-texts.ts';

/** A mail to one address. */
export interface Mail {
  readonly kind: MailKind;
  readonly to: string;
  /** A language tag. */
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  /** Absent in a mail of the operator that has only a text. */
  readonly html?: string | undefined;
}

/** The receiver of a mail. */
export interface Recipient {
  readonly to: string;
  /** The requested language tag (BCP 47). An unknown one, or none, gets English. */
  readonly language?: string | undefined;
}

interface Linked {
  /** An absolute `https` or `http` URL with its token. */
  readonly link: string;
  readonly validSeconds: number;
}

interface Named {
  /** The login name of the user. */
  readonly name: string;
}

interface OfPassword {
  /** Whether the user can set a new password by email. */
  readonly canRecover: boolean;
}

interface OfFactor {
  /** The kind of the factor, or the label of a provider. */
  readonly factor: FactorKind | { readonly label: string };
}

interface Dated {
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface Coded {
  /** The code that the user enters. It is not in the subject: mail servers log that. */
  readonly code: string;
  readonly validSeconds: number;
}

/** The content of each mail, by its kind. */
interface MailContents {
  /** Asks the owner of an address to confirm the sign-up. */
  readonly confirmAddress: Linked;
  /** Contains the link that sets a new password. */
  readonly resetPassword: Linked & Named;
  /** Contains the link with which a new user chooses the password. */
  readonly invitation: Linked & Named;
  /** Contains the code that is the second factor of a sign-in. */
  readonly signInCode: Coded & Named;
  /** Contains the code with which a user signs in instead of the password. */
  readonly emailSignInCode: Coded & Named;
  /** The answer to a sign-up for an address that already has an account. The page is the same as for a new address. */
  readonly alreadyRegistered: unknown;
  /** Asks the owner of an address to confirm that it is the new one of a user. The mail does not name the account. */
  readonly confirmNewAddress: Linked;
  /** The answer to a change to an address that already has an account. The page is the same as for a free address. */
  readonly addressTaken: unknown;
  /** Notifies a user that a new email address was requested. The new one is not in the mail: an attacker may have chosen it. */
  readonly emailChangeRequested: Named;
  /** Notifies the previous address of a user that it was replaced. */
  readonly emailChanged: Named;
  /** Notifies a user of a new password. */
  readonly passwordChanged: Named & OfPassword;
  /** Notifies a user of a new second factor, passkey or identity. The label of a factor is not in the mail: an attacker may have chosen it. */
  readonly factorAdded: Named & OfFactor;
  /** Notifies a user that a second factor, passkey or identity was removed. */
  readonly factorRemoved: Named & OfFactor;
  /** Notifies a user that an administrator has removed all second factors and passkeys. */
  readonly factorsReset: Named;
  /** Notifies a user that the account is deleted at a time, until which the user can keep it. */
  readonly deletionRequested: Named & Dated;
}

type MailInput<Kind extends MailKind> = Recipient & MailContents[Kind];

/** The emails about accounts. */
export interface AccountMails {
  /** Returns before the email is sent. */
  send<Kind extends MailKind>(kind: Kind, mail: MailInput<Kind>): void;
}

type Content = Recipient & Partial<Linked & Named & OfPassword & OfFactor & Dated & Coded>;

/** Makes a value one line, so that a value of a user cannot add a line to a header or to the text. */
const oneLine = (value: string): string => value.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) => values[name] ?? '');

const durationOf = (language: string, seconds: number): string => {
  const daySeconds = 86_400;
  const [value, unit] =
    seconds > daySeconds && seconds % daySeconds === 0
      ? [seconds / daySeconds, 'day']
      : seconds % 3600 === 0
        ? [seconds / 3600, 'hour']
        : [Math.round(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
};

/** A date in UTC: the mail does not know the time zone of the user. */
const dateOf = (language: string, at: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);

/** @throws TypeError for any other scheme: `javascript:` in a mail would be an attack */
const assertWebLink = (link: string): void => {
  if (!/^https?:\/\/[^\s"<>]+$/.test(link)) throw new TypeError('The link of a mail must be an http or https URL.');
};

interface Filled {
  readonly subject: string;
  readonly text: string;
  /** Absent in a mail of the operator that has only a text. */
  readonly html?: string | undefined;
}

/** The mail with the texts of Carnet. */
const fillBuiltIn = (
  texts: MailTexts,
  { subject, introduction, action = '', note }: MailText,
  { link, code, ...values }: Readonly<Record<string, string>>,
  language: string,
): Filled => {
  const [first, last] = [fill(introduction, values), fill(note, values)];
  const body = [
    `<p>${escapeHtml(first)}</p>`,
    ...(link === undefined ? [] : [`<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p>`]),
    ...(code === undefined ? [] : [`<p><strong>${escapeHtml(code)}</strong></p>`]),
    `<p>${escapeHtml(last)}</p>`,
  ];
  return {
    subject: fill(subject, values),
    text: `${[first, ...(link === undefined ? [] : [`${action}:\n${link}`]), ...(code === undefined ? [] : [code]), last].join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language}" dir="${texts.direction}"><body>${body.join('')}</body></html>`,
  };
};

/** The values of the placeholders, each of them one line. */
const valuesOf = (product: string, content: Content, texts: MailTexts, language: string): Record<string, string> => {
  const { link, code, validSeconds = 0, name = '', factor, at } = content;
  const values = {
    product,
    name,
    duration: durationOf(language, validSeconds),
    factor: typeof factor === 'object' ? factor.label : factor === undefined ? '' : texts.factors[factor],
    date: at === undefined ? '' : dateOf(language, at),
    ...(link !== undefined && { link }),
    ...(code !== undefined && { code }),
  };
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, oneLine(value)]));
};

interface MailSettings {
  /** The name of the service. */
  readonly product: string;
  /** The texts of the operator. */
  readonly templates?: MailTemplates | undefined;
}

export const composeMail = <Kind extends MailKind>(
  kind: Kind,
  { product, templates }: MailSettings,
  mail: MailInput<Kind>,
): Mail => {
  const content: Content = mail;
  const { to, language: requested, link, canRecover = true } = content;
  if (link !== undefined) assertWebLink(link);
  const language = mailLanguageOf(requested);
  const texts = mailLanguages[language] ?? mailLanguages.en;
  if (texts === undefined) throw new Error('The English mails are missing.');
  const name = kind === 'passwordChanged' && !canRecover ? 'passwordChangedWithoutRecovery' : kind;
  const text =
    name === 'passwordChangedWithoutRecovery'
      ? { ...texts.passwordChanged, note: texts.passwordChanged.noteWithoutRecovery }
      : texts[name];
  const values = valuesOf(product, content, texts, language);
  const template = templates?.get(templateKey(name, language));
  const filled = template === undefined ? fillBuiltIn(texts, text, values, language) : fillTemplate(template, values);
  return { kind, to, language, ...filled };
};
