/** Normalizes a user name: width, case and composition do not matter. Idempotent. */
export const normalizeUserName = (text: string): string =>
  text.trim().normalize('NFKC').toLowerCase().normalize('NFKC').trim();
