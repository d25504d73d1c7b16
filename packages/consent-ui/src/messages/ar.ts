import type { Messages } from './en.ts';
import { signInPages } from './sign-in/ar.ts';
import { sitePages } from './site/ar.ts';

export const ar = { ...sitePages, ...signInPages } satisfies Messages;
