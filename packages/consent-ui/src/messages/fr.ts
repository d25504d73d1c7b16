import type { Messages } from './en.ts';
import { signInPages } from './sign-in/fr.ts';
import { sitePages } from './site/fr.ts';

export const fr = { ...sitePages, ...signInPages } satisfies Messages;
