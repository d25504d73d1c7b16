import type { Messages } from './en.ts';
import { signInPages } from './sign-in/ja.ts';
import { sitePages } from './site/ja.ts';

export const ja = { ...sitePages, ...signInPages } satisfies Messages;
