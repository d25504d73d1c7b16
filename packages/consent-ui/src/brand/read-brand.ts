import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type Color, formatColor, minimumContrast, parseColor } from '@carnet/adapter-contract/kit';
import type { Checked } from '../settings/read-settings.ts';
import { type Asset, type Brand, createAsset, createBrand } from './brand.ts';
import { brandContrast, readable, type SchemeName } from './palette.ts';

type FileKey = 'logoFile' | 'logoDarkFile' | 'backgroundFile' | 'cssFile' | 'scopesFile';
type ColorKey = 'color' | 'colorDark' | 'backgroundColor' | 'backgroundColorDark';

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

/** The content of the file that a setting names; undefined after a problem. */
export const readNamedFile = ({ values, nameOf, report }: Checked, key: FileKey, maximumBytes: number) => {
  const path = values[key];
  if (!path) return undefined;
  try {
    const content = new Uint8Array(readFileSync(path));
    if (content.byteLength <= maximumBytes) return content;
    report(`${nameOf(key)}: ${path} is larger than ${maximumBytes / 1024} KiB`);
  } catch (error) {
    report(`${nameOf(key)}: ${path} cannot be read: ${(error as Error).message}`);
  }
  return undefined;
};

const readPicture = (checked: Checked, key: FileKey, maximumBytes: number): Asset | undefined => {
  const { values, nameOf, report } = checked;
  const content = readNamedFile(checked, key, maximumBytes);
  const type = types[extname(values[key] ?? '').toLowerCase()];
  if (content && !type) report(`${nameOf(key)} must be a file of one of the types ${Object.keys(types).join(', ')}`);
  return content && type ? createAsset(type, content) : undefined;
};

const readCss = (checked: Checked): string | undefined => {
  const { nameOf, report } = checked;
  const content = readNamedFile(checked, 'cssFile', maximumCssBytes);
  const css = content && Buffer.from(content).toString('utf8');
  if (css && /<\/style/i.test(css)) report(`${nameOf('cssFile')} must not contain </style`);
  if (css && /@import\b/i.test(css))
    report(`${nameOf('cssFile')} must not use @import: the pages load no other style sheet`);
  return css;
};

const readColor = ({ values, nameOf, report }: Checked, key: ColorKey): Color | undefined => {
  const text = values[key];
  const color = text ? parseColor(text) : undefined;
  if (text && !color) report(`${nameOf(key)} must be a color such as #14614c, not ${text}`);
  return color;
};

const readBrandColor = (checked: Checked, key: ColorKey, scheme: SchemeName): Color | undefined => {
  const { values, nameOf, report } = checked;
  const color = readColor(checked, key);
  if (!color) return undefined;
  const found = brandContrast(color, scheme);
  if (found >= minimumContrast) return color;
  report(
    `${nameOf(key)}=${values[key]} has a contrast of ${(Math.floor(found * 100) / 100).toFixed(2)}:1 with the ${scheme} background, ` +
      `and text needs ${minimumContrast}:1 (WCAG 2.2 AA): use ${formatColor(readable(color, scheme))}, or a ` +
      `${scheme === 'light' ? 'darker' : 'lighter'} color`,
  );
  return undefined;
};

/** The color for dark pages that follows from the one for light pages. */
export const darkColorOf = (light: Color): Color => readable(light, 'dark', 6.5);

/** Reads the brand. Reports every problem that it finds. */
export const readBrand = (checked: Checked): Brand => {
  const { values, nameOf, report } = checked;
  const light = readBrandColor(checked, 'color', 'light');
  const dark = readBrandColor(checked, 'colorDark', 'dark') ?? (light && darkColorOf(light));
  if (values.logoDarkFile && !values.logoFile)
    report(`${nameOf('logoDarkFile')} needs ${nameOf('logoFile')}, the logo of light pages`);
  return createBrand({
    name: values.name?.trim() || 'Carnet',
    colors: { light: light ?? carnetColors.light, dark: dark ?? carnetColors.dark },
    grounds: {
      light: readColor(checked, 'backgroundColor'),
      dark: readColor(checked, 'backgroundColorDark'),
    },
    background: readPicture(checked, 'backgroundFile', maximumBackgroundBytes),
    css: readCss(checked),
    logo: readPicture(checked, 'logoFile', maximumLogoBytes),
    darkLogo: readPicture(checked, 'logoDarkFile', maximumLogoBytes),
  });
};
