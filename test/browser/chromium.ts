import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The shell is the same engine without the windows of a browser: it needs a quarter of the time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** `CHROMIUM_PATH`, or the first on PATH. */
const findChromium = (): string => {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const paths = names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)));
  const found = paths.find(isExecutable);
  if (found === undefined) throw new Error('There is no Chromium on PATH: install it, or name it in CHROMIUM_PATH.');
  return found;
};

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Whatever would be fetched from elsewhere fails at once, and shows.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** A headless Chromium with a fresh profile, which ends with this process at the latest. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), headless: true, args: flags });
