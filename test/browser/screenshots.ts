// Takes the pictures of docs/images/ again, from the pages as they are: `npm run screenshots --prefix test`.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launchChromium } from './chromium.ts';
import { startStack } from './stack.ts';
import { allow, dana, goToLogin, logIn } from './steps.ts';

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
mkdirSync(folder, { recursive: true });

// The ports of `npm start`, which the claims show.
const stack = await startStack([4444, 4445, 3000, 5555]);
try {
  const chromium = await launchChromium();
  const page = await chromium.newPage({
    viewport: { width: 1200, height: 840 },
    deviceScaleFactor: 1,
    colorScheme: 'light',
  });
  const take = (name: string) => page.screenshot({ path: `${folder}${name}.png` });

  await goToLogin(page, stack);
  await page.fill('#email', dana.email);
  await page.focus('#password');
  await take('sign-in');
  await logIn(page, dana);
  await take('consent');
  await allow(page, dana);
  await take('claims');
  await chromium.close();
} finally {
  await stack.stop();
}
