import { randomInt } from 'node:crypto';
import type { RecordKey } from '@carnet/adapter-contract';
import { recordId } from '../storage/record-id.ts';

/** The alphabet and length of user codes (RFC 8628, section 6.1). */
export interface UserCodeAlphabet {
  /** Upper case letters and digits, each once. */
  readonly characters: string;
  readonly length: number;
}

export const createUserCode = ({ characters, length }: UserCodeAlphabet): string =>
  Array.from({ length }, () => characters[randomInt(characters.length)]).join('');

/** The code in groups of four, or of three where they fit better, as a device shows it (RFC 8628, section 6.1). */
export const groupedUserCode = (code: string): string =>
  (code.match(code.length % 4 !== 0 && code.length % 3 === 0 ? /.{3}/g : /.{1,4}/g) ?? []).join('-');

/** The maximum length of typed input, spaces and dashes included. */
const maxTyped = 64;

/** Normalizes a typed user code: ignores case, spaces and dashes. Undefined if the text cannot be a user code. */
export const readUserCode = (typed: string, { characters, length }: UserCodeAlphabet): string | undefined => {
  if (typed.length > maxTyped) return undefined;
  const code = typed.toUpperCase().replaceAll(/[\s\p{Pd}._]/gu, '');
  return code.length === length && [...code].every((one) => characters.includes(one)) ? code : undefined;
};

/** The key of the record that maps a user code to the request of its device. */
export const userCodeKey = (code: string): RecordKey => ({ kind: 'device', id: recordId(`user_code:${code}`) });
