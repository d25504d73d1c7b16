import './variations/staying-signed-in.ts';
import './variations/going-back.ts';
import './variations/other-browser.ts';
import './variations/arabic.ts';
import './variations/taking-long.ts';
// Last: it looks at what the processes have printed in all of them.
import './scenarios/secrets.ts';
import { vi } from 'vitest';
import { test } from './test.ts';

vi.setConfig({ testTimeout: 240_000 });

// Not on the first test's time.
test.beforeAll(({ stack, chromium }) => void [stack, chromium]);
