import './variations/accounts.ts';
import { vi } from 'vitest';
import { arabic } from './accessibility/wcag.ts';
import { describeAccountPages } from './accounts/accessibility.ts';
import { test } from './accounts/test.ts';

vi.setConfig({ testTimeout: 240_000 });

// Not on the first test's time.
test.beforeAll(({ stack, chromium }) => void [stack, chromium]);

describeAccountPages(arabic);
