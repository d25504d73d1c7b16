import { escapeHtml } from '@carnet/adapter-contract/kit';
import type { FactorKind } from '../second-factors/index.ts';
import { mailLanguageOf, mailLanguages } from './languages.ts';
import type { MailKind } from './texts/mail-texts.ts';

/** A mail to one address. */
export interface Mail {
  readonly kind: MailKind;
  readonly to: string;
  /** A language tag. */
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Addressed {
  readonly to: string;
  /** The requested language tag; an unknown one gets English. */
  readonly language: string | undefined;
  /** The name of the service. */
  readonly product: string;
}

interface Linked extends Addressed {
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
  readonly factor: FactorKind;
}

interface Dated {
  /** Milliseconds since 1970. */
  readonly at: number;
}

type Content = Addressed & Partial<Linked & Named & OfPassword & OfFactor & Dated>;

/** Makes a value one line, so that a value of a user cannot add a line to a header or to the text. */
const oneLine = (value: string): string => value.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) => oneLine(values[name] ?? ''));

const durationOf = (language: string, seconds: number): string => {
  const [value, unit] = seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : [Math.round(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
};

/** A date in UTC: the mail does not know the time zone of the user. */
const dateOf = (language: string, at: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);

/** @throws TypeError for any other scheme: `javascript:` in a mail would be an attack */
const assertWebLink = (link: string): void => {
  if (!/^https?:\/\/[^\s"<>]+$/.test(link)) throw new TypeError('The link of a mail must be an http or https URL.');
};

const compose = (
  kind: MailKind,
  { to, language: requested, product, link, validSeconds = 0, name = '', canRecover = true, factor, at }: Content,
): Mail => {
  if (link !== undefined) assertWebLink(link);
  const language = mailLanguageOf(requested);
  const texts = mailLanguages[language] ?? mailLanguages.en;
  if (texts === undefined) throw new Error('The English mails are missing.');
  const { subject, introduction, action = '', ...others } = texts[kind];
  const note = kind === 'passwordChanged' && !canRecover ? texts.passwordChanged.noteWithoutRecovery : others.note;
  const values = {
    product,
    name,
    duration: durationOf(language, validSeconds),
    factor: factor === undefined ? '' : texts.factors[factor],
    date: at === undefined ? '' : dateOf(language, at),
  };
  const [first, last] = [fill(introduction, values), fill(note, values)];
  const body = [
    `<p>${escapeHtml(first)}</p>`,
    ...(link === undefined ? [] : [`<p><a href="${escapeHtml(link)}">${escapeHtml(action)}</a></p>`]),
    `<p>${escapeHtml(last)}</p>`,
  ];
  return {
    kind,
    to,
    language,
    subject: fill(subject, values),
    text: `${[first, ...(link === undefined ? [] : [`${action}:\n${link}`]), last].join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language}" dir="${texts.direction}"><body>${body.join('')}</body></html>`,
  };
};

/** Asks the owner of an address to confirm the sign-up. */
export const confirmAddressMail = (mail: Linked): Mail => compose('confirmAddress', mail);
/** Contains the link that sets a new password. */
export const resetPasswordMail = (mail: Linked & Named): Mail => compose('resetPassword', mail);
/** The answer to a sign-up for an address that already has an account. The page is the same as for a new address. */
export const alreadyRegisteredMail = (mail: Addressed): Mail => compose('alreadyRegistered', mail);
/** Asks the owner of an address to confirm that it is the new one of a user. The mail does not name the account. */
export const confirmNewAddressMail = (mail: Linked): Mail => compose('confirmNewAddress', mail);
/** The answer to a change to an address that already has an account. The page is the same as for a free address. */
export const addressTakenMail = (mail: Addressed): Mail => compose('addressTaken', mail);
/** Notifies a user that a new email address was requested. The new one is not in the mail: an attacker may have chosen it. */
export const emailChangeRequestedMail = (mail: Addressed & Named): Mail => compose('emailChangeRequested', mail);
/** Notifies the previous address of a user that it was replaced. */
export const emailChangedMail = (mail: Addressed & Named): Mail => compose('emailChanged', mail);
/** Notifies a user of a new password. */
export const passwordChangedMail = (mail: Addressed & Named & OfPassword): Mail => compose('passwordChanged', mail);
/** Notifies a user of a new second factor or passkey. The label is not in the mail: an attacker may have chosen it. */
export const factorAddedMail = (mail: Addressed & Named & OfFactor): Mail => compose('factorAdded', mail);
/** Notifies a user that a second factor or passkey was removed. */
export const factorRemovedMail = (mail: Addressed & Named & OfFactor): Mail => compose('factorRemoved', mail);
/** Notifies a user that an administrator has removed all second factors and passkeys. */
export const factorsResetMail = (mail: Addressed & Named): Mail => compose('factorsReset', mail);
/** Notifies a user that the account is deleted at a time, until which the user can keep it. */
export const deletionRequestedMail = (mail: Addressed & Named & Dated): Mail => compose('deletionRequested', mail);
