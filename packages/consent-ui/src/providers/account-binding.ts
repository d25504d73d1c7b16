import { randomBytes } from 'node:crypto';

const prefix = 'account.';

/** The binding of a flow of the account page. No login challenge begins like it. */
export const createAccountBinding = (): string => prefix + randomBytes(16).toString('base64url');

export const isAccountBinding = (binding: string): boolean => binding.startsWith(prefix);
