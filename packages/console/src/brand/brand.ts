import { createHash } from 'node:crypto';
import type { Asset } from '../page/assets.ts';
import type { PageContext } from '../page/route.ts';
import { colorCss } from './colors.ts';

/** A picture that the console serves itself. */
export interface LogoFile {
  /** The media type of a picture, such as `image/svg+xml`. */
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

export interface BrandSettings {
  /** In the header, and in the titles of pages. */
  readonly name?: string | undefined;
  /** The https URL of a picture, or a file. */
  readonly logo?: string | LogoFile | undefined;
  /** The color of links and buttons: `#14614c`. A color that is not readable becomes the nearest one that is. */
  readonly color?: string | undefined;
}

/** The look of a console. */
export interface Brand {
  readonly name?: string | undefined;
  /** The URL of the logo. */
  readonly logo?: string | undefined;
  /** The URL of the style sheet with the color. */
  readonly stylesheet?: string | undefined;
  /** The assets of the console, by name. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The origins of other hosts whose pictures the pages show. */
  readonly pictureOrigins: readonly string[];
}

/** The URL of an asset contains a hash of it, so that browsers show a new logo at once. */
const versionOf = ({ body }: Asset): string => createHash('sha256').update(body).digest('base64url').slice(0, 12);

/** @throws Error for a wrong color or URL */
export const openBrand = ({ name, logo, color }: BrandSettings, link: PageContext['link']): Brand => {
  const assets = new Map<string, Asset>();
  const add = (file: string, asset: Asset): string => {
    assets.set(file, asset);
    return link(`/assets/${file}`, { v: versionOf(asset) });
  };
  const own = typeof logo === 'object' ? add('logo', { type: logo.type, body: logo.content }) : undefined;
  const foreign = typeof logo === 'string' ? new URL(logo) : undefined;
  return {
    name,
    logo: own ?? foreign?.href,
    stylesheet: color && add('brand.css', { type: 'text/css; charset=utf-8', body: colorCss(color) }),
    assets,
    // Only the origin: a path may have characters that end a source or a directive of the policy.
    pictureOrigins: foreign === undefined ? [] : [foreign.origin],
  };
};
