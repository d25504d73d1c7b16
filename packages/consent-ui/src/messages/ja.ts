import { accountPages } from './account/ja.ts';
import type { Messages } from './en.ts';
import { factorPages } from './factors/ja.ts';
import { providerPages } from './providers/ja.ts';
import { signInPages } from './sign-in/ja.ts';
import { signUpPages } from './sign-up/ja.ts';
import { sitePages } from './site/ja.ts';

export const ja = {
  ...sitePages,
  ...signInPages,
  ...signUpPages,
  ...factorPages,
  ...accountPages,
  ...providerPages,
} satisfies Messages;
