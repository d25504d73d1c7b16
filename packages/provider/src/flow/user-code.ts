import { randomInt } from 'node:crypto';
import type { RecordKey } from '@carnet/adapter-contract';
import { recordId } from '../storage/record-id.ts';

/** What user codes are made of (RFC 8628, section 6.1). */
export interface UserCodeAlphabet {
  /** Upper case letters and digits, each once. */
  readonly characters: string;
  readonly length: number;
}

export const createUserCode = ({ characters, length }: UserCodeAlphabet): string =>
  Array.from({ length }, () => characters[randomInt(characters.length)]).join('');

/** Longer than anybody would type, blanks and dashes included. */
const maxTyped = 64;

/** A user code as somebody typed it: case, blanks and dashes do not matter. Nothing when it can be none. */
export const readUserCode = (typed: string, { characters, length }: UserCodeAlphabet): string | undefined => {
  if (typed.length > maxTyped) return undefined;
  const code = typed.toUpperCase().replaceAll(/[\s\p{Pd}._]/gu, '');
  return code.length === length && [...code].every((one) => characters.includes(one)) ? code : undefined;
};

/** The record that leads from a user code to the request of its device. */
export const userCodeKey = (code: string): RecordKey => ({ kind: 'device', id: recordId(`user_code:${code}`) });
