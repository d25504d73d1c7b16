/**
 * Values as SQL text. Several statements can share a round trip only as text, without parameters.
 *
 * The one step that makes that safe: a text is written as the digits of its UTF-8 bytes, so that no character of it, no
 * `sql_mode` and no character set can end the literal.
 */
export const textLiteral = (text: string): string => `x'${Buffer.from(text).toString('hex')}'`;

export const textOrNull = (text: string | undefined): string => (text === undefined ? 'null' : textLiteral(text));

/** Milliseconds since the epoch. Throws a RangeError for an invalid date. */
const instantLiteral = (date: Date): string => wholeNumber(date.getTime());

export const instantOrNull = (date: Date | null | undefined): string => (date ? instantLiteral(date) : 'null');

/** Throws a RangeError for everything else. */
export const wholeNumber = (value: number): string => {
  if (!Number.isSafeInteger(value)) throw new RangeError('A value that must be a whole number is none.');
  return value.toFixed(0);
};

/** `(place, kind, id)` and other rows. */
export const rowOf = (values: readonly string[]): string => `(${values.join(', ')})`;
