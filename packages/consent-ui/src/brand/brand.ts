import { createHash } from 'node:crypto';
import { type Color, formatColor } from '@carnet/adapter-contract/kit';
import { stylesheet } from '../page/stylesheet.ts';
import { paletteCss, type SchemeName } from './palette.ts';

/** A file that the UI serves to browsers. */
export interface Asset {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** A hash of the content, which the URL contains: browsers keep the file. */
  readonly version: string;
}

export type AssetName = 'logo' | 'logo-dark' | 'icon' | 'background';

/** The look of the pages. */
export interface Brand {
  readonly name: string;
  readonly stylesheet: string;
  /** The hash of the style sheet for the Content-Security-Policy. */
  readonly styleHash: string;
  readonly assets: Readonly<Partial<Record<AssetName, Asset>>>;
  /** The logo of an organization, which the browser loads from another host, instead of those of `assets`. */
  readonly foreignLogo?: URL | undefined;
  readonly settings: BrandSettings;
}

export interface BrandSettings {
  readonly name: string;
  readonly colors: Readonly<Record<SchemeName, Color>>;
  /** The colors behind the card. */
  readonly grounds?: Readonly<Partial<Record<SchemeName, Color | undefined>>>;
  /** CSS of the operator, after that of the pages. */
  readonly css?: string | undefined;
  readonly logo?: Asset | undefined;
  readonly darkLogo?: Asset | undefined;
  /** A picture behind the card. */
  readonly background?: Asset | undefined;
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest();

export const createAsset = (type: string, body: Uint8Array<ArrayBuffer>): Asset => ({
  type,
  body,
  version: sha256(body).toString('base64url').slice(0, 12),
});

const urlOf = (name: AssetName, { version }: Asset): string => `/brand/${name}?v=${version}`;

/** The first letter of the name on the brand color. */
const icon = ({ name, colors }: BrandSettings): Asset => {
  const letter = [...name][0]?.toUpperCase().replace(/[<&]/, '') ?? '';
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" rx="7" fill="${formatColor(colors.light)}"/>` +
    '<text x="16" y="22.5" text-anchor="middle" font-family="system-ui,sans-serif" font-size="19" font-weight="700" ' +
    `fill="#fff">${letter}</text></svg>`;
  return createAsset('image/svg+xml', Buffer.from(svg));
};

/** A picture may have any color: what is not on the card gets the color of the card as its background. */
const pictureCss = (background: Asset | undefined): string =>
  background === undefined
    ? ''
    : `:root{--ground-brand:var(--brand);--ground-ink:var(--ink);--ground-quiet:var(--quiet)}` +
      `body{background:var(--ground) url("${urlOf('background', background)}") center/cover no-repeat fixed}` +
      `header>*,footer{padding:.5rem .9rem;background:var(--paper);border-radius:.75rem}`;

export const createBrand = (settings: BrandSettings): Brand => {
  const { colors, grounds, background, css = '' } = settings;
  const all = `${paletteCss(colors, grounds)}\n${stylesheet}${pictureCss(background)}${css}`;
  return {
    name: settings.name,
    stylesheet: all,
    styleHash: sha256(all).toString('base64'),
    settings,
    assets: {
      icon: icon(settings),
      ...(settings.logo && { logo: settings.logo }),
      ...(settings.darkLogo && { 'logo-dark': settings.darkLogo }),
      ...(background && { background }),
    },
  };
};

/** The URL of a file of the brand. */
export const assetUrl = ({ assets }: Brand, name: AssetName): string | undefined =>
  assets[name] && urlOf(name, assets[name]);
