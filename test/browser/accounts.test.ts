import './accounts/sign-up.ts';
import './accounts/second-factors.ts';
import './accounts/account.ts';
import './accounts/claims.ts';
import './accounts/email.ts';
import './accounts/deletion.ts';
import { vi } from 'vitest';
import { english } from './accessibility/wcag.ts';
import { describeAccountPages } from './accounts/accessibility.ts';
import { test } from './accounts/test.ts';

vi.setConfig({ testTimeout: 240_000 });

// Not on the first test's time.
test.beforeAll(({ stack, chromium }) => void [stack, chromium]);

describeAccountPages(english);
