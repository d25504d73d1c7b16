import { accountPages } from './account/ar.ts';
import type { Messages } from './en.ts';
import { factorPages } from './factors/ar.ts';
import { providerPages } from './providers/ar.ts';
import { signInPages } from './sign-in/ar.ts';
import { signUpPages } from './sign-up/ar.ts';
import { sitePages } from './site/ar.ts';

export const ar = {
  ...sitePages,
  ...signInPages,
  ...signUpPages,
  ...factorPages,
  ...accountPages,
  ...providerPages,
} satisfies Messages;
