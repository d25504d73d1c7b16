import { accountPages } from './account/de.ts';
import type { Messages } from './en.ts';
import { factorPages } from './factors/de.ts';
import { providerPages } from './providers/de.ts';
import { signInPages } from './sign-in/de.ts';
import { signUpPages } from './sign-up/de.ts';
import { sitePages } from './site/de.ts';

export const de = {
  ...sitePages,
  ...signInPages,
  ...signUpPages,
  ...factorPages,
  ...accountPages,
  ...providerPages,
} satisfies Messages;
