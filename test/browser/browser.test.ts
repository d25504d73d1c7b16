import './scenarios/signing-in.ts';
import './scenarios/staying-signed-in.ts';
import './scenarios/going-back.ts';
import './scenarios/other-browser.ts';
import './scenarios/taking-long.ts';
// Last: it looks at what the processes have printed in all of them.
import './scenarios/secrets.ts';
import { test } from './test.ts';

// Not on the first test's time.
test.beforeAll(({ stack, chromium }) => void [stack, chromium]);
