import type { Messages } from './en.ts';
import { signInPages } from './sign-in/de.ts';
import { sitePages } from './site/de.ts';

export const de = { ...sitePages, ...signInPages } satisfies Messages;
