import {
  black,
  type Color,
  formatColor,
  minimumContrast,
  mix,
  nearestWithContrast,
  parseColor,
  textOn,
  white,
} from '@carnet/adapter-contract/kit';

/** The backgrounds of Pico: the page, and the parts that differ from it. */
const backgrounds: Readonly<Record<'light' | 'dark', readonly Color[]>> = {
  light: [white, [251, 251, 252]],
  dark: [
    [19, 23, 31],
    [26, 31, 40],
  ],
};

/** The properties of Pico that have its blue. */
const propertiesOf = (color: Color, scheme: keyof typeof backgrounds): string => {
  const primary = nearestWithContrast(color, backgrounds[scheme], minimumContrast);
  // Away from the background: the contrast of links and of the text on buttons rises.
  const hover = formatColor(mix(primary, scheme === 'light' ? black : white, 0.18));
  const half = `${formatColor(primary)}80`;
  const values = {
    '': formatColor(primary),
    '-background': formatColor(primary),
    '-underline': half,
    '-focus': half,
    '-inverse': formatColor(textOn(primary)),
    '-hover': hover,
    '-hover-background': hover,
  };
  return Object.entries(values)
    .map(([name, value]) => `--pico-primary${name}:${value}`)
    .join(';');
};

/**
 * The style sheet of a color: the nearest one that is readable in each scheme becomes that of links and buttons. The selector is
 * as specific as that of Pico.
 *
 * @throws Error for a text that is not a color
 */
export const colorCss = (text: string): string => {
  const color = parseColor(text);
  if (color === undefined) throw new Error(`The color of the console must be one such as #14614c, not ${text}`);
  return `:root:not([data-theme]){${propertiesOf(color, 'light')}}
@media(prefers-color-scheme:dark){:root:not([data-theme]){${propertiesOf(color, 'dark')}}}`;
};
