import {
  black,
  type Color,
  contrast,
  formatColor,
  minimumContrast,
  mix,
  nearestWithContrast,
  textOn,
  white,
} from '@carnet/adapter-contract/kit';

interface Scheme {
  readonly paper: Color;
  readonly ground: Color;
  readonly ink: Color;
  readonly quiet: Color;
  readonly line: Color;
  /** The border of fields: 3:1 on paper (WCAG 2.2, section 1.4.11). */
  readonly edge: Color;
  readonly alarm: Color;
  readonly alarmTint: Color;
  /** The text and the background of warnings. */
  readonly amber: Color;
  readonly amberTint: Color;
  /** The share of the brand color in tinted areas. */
  readonly tintShare: number;
  /** The color towards which the brand color moves under the pointer. */
  readonly hover: Color;
}

export const schemes: Readonly<Record<'light' | 'dark', Scheme>> = {
  light: {
    paper: white,
    ground: [244, 245, 246],
    ink: [24, 27, 31],
    quiet: [86, 93, 101],
    line: [219, 223, 227],
    edge: [130, 138, 146],
    alarm: [163, 38, 27],
    alarmTint: [252, 237, 234],
    amber: [120, 72, 0],
    amberTint: [255, 243, 214],
    tintShare: 0.09,
    hover: black,
  },
  dark: {
    paper: [28, 31, 34],
    ground: [17, 19, 21],
    ink: [236, 239, 241],
    quiet: [168, 176, 183],
    line: [52, 57, 62],
    edge: [122, 131, 139],
    alarm: [255, 157, 144],
    alarmTint: [58, 32, 29],
    amber: [247, 200, 110],
    amberTint: [56, 43, 20],
    tintShare: 0.14,
    hover: white,
  },
};

export type SchemeName = keyof typeof schemes;

const backgroundsOf = ({ paper, ground }: Scheme): readonly Color[] => [paper, ground];

/** The lower of the contrasts of a brand color on the backgrounds of a scheme. */
export const brandContrast = (color: Color, scheme: SchemeName): number =>
  Math.min(...backgroundsOf(schemes[scheme]).map((background) => contrast(color, background)));

/** The nearest color that is readable in the scheme. */
export const readable = (color: Color, scheme: SchemeName, minimum = minimumContrast): Color =>
  nearestWithContrast(color, backgroundsOf(schemes[scheme]), minimum);

/** A text color for a background: the wanted one if it is readable there, otherwise black or white. */
const onGround = (wanted: Color, ground: Color): Color =>
  contrast(wanted, ground) >= minimumContrast ? wanted : textOn(ground);

/** The custom properties of a scheme, in the brand color, on the operator's background if there is one. */
export const properties = (brand: Color, name: SchemeName, ownGround?: Color): Readonly<Record<string, Color>> => {
  const { tintShare, hover, alarmTint, amberTint, ...scheme } = schemes[name];
  const ground = ownGround ?? scheme.ground;
  return {
    ...scheme,
    ground,
    'ground-brand': onGround(brand, ground),
    'ground-ink': onGround(scheme.ink, ground),
    'ground-quiet': onGround(scheme.quiet, ground),
    'alarm-tint': alarmTint,
    'amber-tint': amberTint,
    brand,
    'brand-deep': mix(brand, hover, 0.18),
    'on-brand': textOn(brand),
    tint: mix(scheme.paper, brand, tintShare),
  };
};

const declarations = (brand: Color, name: SchemeName, ground: Color | undefined): string =>
  Object.entries(properties(brand, name, ground))
    .map(([property, color]) => `--${property}:${formatColor(color)}`)
    .join(';');

/** The custom properties of both color schemes as CSS. */
export const paletteCss = (
  { light, dark }: Readonly<Record<SchemeName, Color>>,
  grounds: Readonly<Partial<Record<SchemeName, Color | undefined>>> = {},
): string =>
  `:root{color-scheme:light dark;${declarations(light, 'light', grounds.light)}}` +
  `@media(prefers-color-scheme:dark){:root{${declarations(dark, 'dark', grounds.dark)}}}`;
