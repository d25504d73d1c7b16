import './accounts/sign-up.ts';
import './accounts/second-factors.ts';
import './accounts/account.ts';
import './accounts/claims.ts';
import { vi } from 'vitest';
import { test } from './accounts/test.ts';

vi.setConfig({ testTimeout: 240_000 });

// Not on the first test's time.
test.beforeAll(({ stack, chromium }) => void [stack, chromium]);
