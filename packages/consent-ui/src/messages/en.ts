import { signInPages } from './sign-in/en.ts';
import { sitePages } from './site/en.ts';

/** The texts of every page, in English. The other languages have the same members. */
export const en = { ...sitePages, ...signInPages };

export type Messages = typeof en;
