/**
 * The pages of users: those of an app of its own, or the bundled ones, with which `carnet serve --dev` loads the accounts as well.
 * The addresses are never requested, because the bench itself accepts each login and consent.
 */
export const pagesEnv = {
  own: { URLS_LOGIN: 'http://127.0.0.1:9/login', URLS_CONSENT: 'http://127.0.0.1:9/consent' },
  bundled: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Pages = keyof typeof pagesEnv;
export const pagesNames: readonly Pages[] = ['own', 'bundled'];
