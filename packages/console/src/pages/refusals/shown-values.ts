import type { CheckId } from '../../messages/refusals/en.ts';
import type { CheckResult } from './checks.ts';

/** The two sides of a check: the pasted values, and those that the server accepts. */
export interface Compared {
  readonly given?: readonly unknown[] | undefined;
  readonly expected?: readonly unknown[] | undefined;
}

export type ComparedValues = Readonly<Partial<Record<CheckId, Compared>>>;

const maxLength = 160;
const maxValues = 6;

const issued = /carnet_[a-z]{2}_[\w.-]+|\bey[\w-]{8,}(?:\.[\w-]*){2,4}/g;
/** Also those of a URL that is encoded in a parameter of another one. */
const secretParameter =
  /((?:[?&#;]|%(?:25)*(?:3f|26|23|3b))[\w-]*(?:code|token|secret|password|verifier|assertion|challenge)(?:=|%(?:25)*3d))[^&#;\s]*/gi;
/** The user of a URL, with its password. */
const credentials = /(\w:\/\/)[^\s/?#@]*@/g;

/**
 * A value as the page shows it. The one step that keeps secrets off the page: no text is shown before it, and it replaces codes,
 * tokens and the secrets of URLs before it shortens the text.
 */
const shown = (value: string): string => {
  const masked = value.replace(issued, '***').replace(secretParameter, '$1***').replace(credentials, '$1***@');
  return masked.length > maxLength ? `${masked.slice(0, maxLength)}…`.toWellFormed() : masked;
};

/** Values of another type than text or number are not shown: a pasted token may have anything in any member. */
export const shownValues = (values: readonly unknown[] = []): readonly string[] => {
  const texts = values
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map((value) => shown(String(value)));
  const found = texts.filter((text) => text !== '');
  return found.length > maxValues ? [...found.slice(0, maxValues), '…'] : found;
};

/** The checks with their values. A check that was not reached has none. */
export const withValues = (checks: readonly CheckResult[], values: ComparedValues): readonly CheckResult[] =>
  checks.map((check) => {
    const compared = check.result === 'skipped' ? undefined : values[check.id];
    return compared === undefined
      ? check
      : { ...check, given: shownValues(compared.given), expected: shownValues(compared.expected) };
  });
