import './scenarios/signing-in.ts';
import './scenarios/languages-and-passwords.ts';
import './scenarios/staying-signed-in.ts';
import './scenarios/going-back.ts';
import './scenarios/other-browser.ts';
import './scenarios/connecting-a-device.ts';
import './scenarios/accessibility.ts';
import './scenarios/taking-long.ts';
// Last: it looks at what the processes have printed in all of them.
import './scenarios/secrets.ts';
import { vi } from 'vitest';
import { test } from './test.ts';

// A browser, three servers and whatever else runs on this machine: a slow one is no failure.
vi.setConfig({ testTimeout: 240_000 });

// Not on the first test's time.
test.beforeAll(({ stack, chromium }) => void [stack, chromium]);
