/** One form for all ways to type a user name: width, case and composition do not matter. Idempotent. */
export function normalizeUserName(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}
