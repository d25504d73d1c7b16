import { normaliseLogin } from './normalise-login.ts';

const longestEmail = 254;

/** One address without quotes, comments and line breaks: the forms that mail providers give to users. */
const address = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+\.[^\s@<>()[\]\\,;:".]+$/u;

/** Whether mail can be sent to this address. The address becomes part of a header, so that line breaks and second addresses are refused. */
export const isEmail = (text: string): boolean =>
  text.length <= longestEmail && normaliseLogin(text) !== undefined && address.test(text) && !text.includes('..');
