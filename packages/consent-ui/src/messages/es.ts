import type { Messages } from './en.ts';
import { signInPages } from './sign-in/es.ts';
import { sitePages } from './site/es.ts';

export const es = { ...sitePages, ...signInPages } satisfies Messages;
