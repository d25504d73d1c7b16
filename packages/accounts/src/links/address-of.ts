import { isEmail, normaliseLogin } from '../directory/index.ts';

/**
 * The address that is stored, and that gets the email. Undefined for an address that normalization changes by more than ASCII
 * case: `\u017fam@example.org` and `sam@example.org` may be two mailboxes, and the link proves one of them only.
 */
export const addressOf = (text: string): string | undefined => {
  const address = normaliseLogin(text);
  const lowered = text.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return address !== undefined && address === lowered && isEmail(address) ? address : undefined;
};
