// Takes the pictures of docs/images/ again, from the pages as they are: `npm run screenshots --prefix test`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from './chromium.ts';
import { startStack } from './stack.ts';
import { allow, dana, goToLogin, logIn } from './steps.ts';

const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
mkdirSync(folder, { recursive: true });

// The ports of `npm start`, which the claims show.
const stack = await startStack({ ports: [4444, 4445, 3000, 5555] });
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

const logo = (color: string): string =>
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 40" width="200" height="40" font-family="system-ui,sans-serif">' +
  `<path d="M4 34 20 6l16 28z" fill="${color}"/><text x="48" y="29" font-size="26" font-weight="700" fill="${color}">` +
  'Northwind</text></svg>';

// The same page with a brand, for docs/guides/branding.md.
const files = mkdtempSync(join(tmpdir(), 'carnet-brand-'));
writeFileSync(join(files, 'light.svg'), logo('#0057b8'));
writeFileSync(join(files, 'dark.svg'), logo('#7db4f0'));
const branded = await startStack({
  ports: [4444, 4445, 3000, 5555],
  uiEnv: {
    UI_NAME: 'Northwind',
    UI_COLOR: '#0057b8',
    UI_COLOR_DARK: '#7db4f0',
    UI_LOGO_FILE: join(files, 'light.svg'),
    UI_LOGO_DARK_FILE: join(files, 'dark.svg'),
    UI_BACKGROUND_COLOR: '#e3ecf7',
    UI_PRIVACY_URL: 'https://northwind.example/privacy',
    UI_TERMS_URL: 'https://northwind.example/terms',
    UI_HELP_URL: 'https://northwind.example/help',
  },
});
try {
  const chromium = await launchChromium();
  const looks = [
    { name: 'branding-light', colorScheme: 'light', locale: 'en' },
    { name: 'branding-dark', colorScheme: 'dark', locale: 'de' },
  ] as const;
  for (const { name, ...look } of looks) {
    const page = await chromium.newPage({ ...look, viewport: { width: 620, height: 710 }, deviceScaleFactor: 1 });
    await page.goto(branded.application);
    await page.click('#sign-in');
    await page.fill('#email', dana.email);
    await page.focus('#password');
    await page.waitForFunction(() => [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
    await page.screenshot({ path: `${folder}${name}.png` });
  }
  await chromium.close();
} finally {
  await branded.stop();
  rmSync(files, { recursive: true });
}
