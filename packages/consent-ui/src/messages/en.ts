import { accountPages } from './account/en.ts';
import { factorPages } from './factors/en.ts';
import { providerPages } from './providers/en.ts';
import { signInPages } from './sign-in/en.ts';
import { signUpPages } from './sign-up/en.ts';
import { sitePages } from './site/en.ts';

/** The texts of every page, in English. The other languages have the same members. */
export const en = { ...sitePages, ...signInPages, ...signUpPages, ...factorPages, ...accountPages, ...providerPages };

export type Messages = typeof en;
