import { readFileSync } from 'node:fs';
import type { LogoFile } from '@carnet/console';
import { ConfigError } from '@carnet/provider/config';
import { type ConsoleSection, isLogoUrl } from './console-section.ts';

const maximumBytes = 512 * 1024;

/** How the content of a picture begins, one character for each byte. */
const types = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['image/svg+xml', /^(?:\xef\xbb\xbf)?\s*<(?:svg|[?!].*<svg)[\s>]/s],
] as const;

const problem = (path: string, what: string): ConfigError => new ConfigError([`console.brand.logo: ${path} ${what}`]);

const read = (path: string): Uint8Array<ArrayBuffer> => {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw problem(path, `cannot be read: ${error instanceof Error ? error.message : error}`);
  }
};

/**
 * The logo of a console: a URL as it is, or the content of a file. The content decides about the type, so that a file of another kind
 * is never served as a picture.
 *
 * @throws ConfigError for a file that is not there, too large or no picture
 */
export const readConsoleLogo = ({ brand: { logo } }: Pick<ConsoleSection, 'brand'>): string | LogoFile | undefined => {
  if (logo === undefined || isLogoUrl(logo)) return logo;
  const content = read(logo);
  if (content.byteLength > maximumBytes) throw problem(logo, `is larger than ${maximumBytes / 1024} KiB.`);
  const text = Buffer.from(content).toString('latin1');
  const [type] = types.find(([, pattern]) => pattern.test(text)) ?? [];
  if (type === undefined) throw problem(logo, 'is not an SVG, PNG, WebP or JPEG file.');
  return { type, content };
};
