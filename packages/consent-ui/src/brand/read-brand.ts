import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Asset, type Brand, createAsset, createBrand } from './brand.ts';
import { type Color, formatColor, parseColor } from './color.ts';
import { brandContrast, minimumContrast, readable, type SchemeName } from './palette.ts';

export type Env = Readonly<Record<string, string | undefined>>;
/** Adds a problem of a variable. */
export type Report = (problem: string) => void;

const types: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};
const maximumLogoBytes = 512 * 1024;
const maximumBackgroundBytes = 1024 * 1024;
const maximumCssBytes = 100 * 1024;

export const carnetColors: { readonly light: Color; readonly dark: Color } = {
  light: [20, 97, 76],
  dark: [108, 199, 168],
};

/** The content of the file that a variable names; undefined after a problem. */
export const readNamedFile = (env: Env, key: string, maximumBytes: number, report: Report) => {
  const path = env[key];
  if (!path) return undefined;
  try {
    const content = new Uint8Array(readFileSync(path));
    if (content.byteLength <= maximumBytes) return content;
    report(`${key}: ${path} is larger than ${maximumBytes / 1024} KiB`);
  } catch (error) {
    report(`${key}: ${path} cannot be read: ${(error as Error).message}`);
  }
  return undefined;
};

const readPicture = (env: Env, key: string, maximumBytes: number, report: Report): Asset | undefined => {
  const content = readNamedFile(env, key, maximumBytes, report);
  const type = types[extname(env[key] ?? '').toLowerCase()];
  if (content && !type) report(`${key} must be a file of one of the types ${Object.keys(types).join(', ')}`);
  return content && type ? createAsset(type, content) : undefined;
};

const readCss = (env: Env, report: Report): string | undefined => {
  const content = readNamedFile(env, 'UI_CSS_FILE', maximumCssBytes, report);
  const css = content && Buffer.from(content).toString('utf8');
  if (css && /<\/style/i.test(css)) report('UI_CSS_FILE must not contain </style');
  if (css && /@import\b/i.test(css)) report('UI_CSS_FILE must not use @import: the pages load no other style sheet');
  return css;
};

const readColor = (env: Env, key: string, report: Report): Color | undefined => {
  const text = env[key];
  const color = text ? parseColor(text) : undefined;
  if (text && !color) report(`${key} must be a color such as #14614c, not ${text}`);
  return color;
};

const readBrandColor = (env: Env, key: string, scheme: SchemeName, report: Report): Color | undefined => {
  const text = env[key];
  const color = readColor(env, key, report);
  if (!color) return undefined;
  const found = brandContrast(color, scheme);
  if (found >= minimumContrast) return color;
  report(
    `${key}=${text} has a contrast of ${(Math.floor(found * 100) / 100).toFixed(2)}:1 with the ${scheme} background, ` +
      `and text needs ${minimumContrast}:1 (WCAG 2.2 AA): use ${formatColor(readable(color, scheme))}, or a ` +
      `${scheme === 'light' ? 'darker' : 'lighter'} color`,
  );
  return undefined;
};

/** The color for dark pages that follows from the one for light pages. */
const darkColorOf = (light: Color): Color => readable(light, 'dark', 6.5);

/** Reads the brand. Reports every problem that it finds. */
export const readBrand = (env: Env, report: Report): Brand => {
  const light = readBrandColor(env, 'UI_COLOR', 'light', report);
  const dark = readBrandColor(env, 'UI_COLOR_DARK', 'dark', report) ?? (light && darkColorOf(light));
  const logo = readPicture(env, 'UI_LOGO_FILE', maximumLogoBytes, report);
  const darkLogo = readPicture(env, 'UI_LOGO_DARK_FILE', maximumLogoBytes, report);
  if (env.UI_LOGO_DARK_FILE && !env.UI_LOGO_FILE)
    report('UI_LOGO_DARK_FILE needs UI_LOGO_FILE, the logo of light pages');
  return createBrand({
    name: env.UI_NAME?.trim() || 'Carnet',
    colors: { light: light ?? carnetColors.light, dark: dark ?? carnetColors.dark },
    grounds: {
      light: readColor(env, 'UI_BACKGROUND_COLOR', report),
      dark: readColor(env, 'UI_BACKGROUND_COLOR_DARK', report),
    },
    background: readPicture(env, 'UI_BACKGROUND_FILE', maximumBackgroundBytes, report),
    css: readCss(env, report),
    logo,
    darkLogo,
  });
};
