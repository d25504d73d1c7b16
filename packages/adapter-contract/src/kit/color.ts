/** Red, green and blue, each 0 to 255. */
export type Color = readonly [number, number, number];

/** Reads `#rgb` or `#rrggbb`. */
export const parseColor = (text: string): Color | undefined => {
  const digits = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text.trim());
  if (!digits) return undefined;
  const all = digits[2] ?? [...(digits[1] ?? '')].map((digit) => digit + digit).join('');
  return [0, 2, 4].map((at) => Number.parseInt(all.slice(at, at + 2), 16)) as unknown as Color;
};

export const formatColor = (color: Color): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** `share` of the second color (0 to 1) in the first. */
export const mix = (first: Color, second: Color, share: number): Color =>
  first.map((part, index) => part + ((second[index] ?? 0) - part) * share) as unknown as Color;

const linear = (part: number): number => {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

const luminance = ([red, green, blue]: Color): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** The contrast of two colors, 1 to 21 (WCAG 2.2, section 1.4.3). */
export const contrast = (left: Color, right: Color): number => {
  const [dark = 0, light = 0] = [luminance(left), luminance(right)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

export const white: Color = [255, 255, 255];
export const black: Color = [0, 0, 0];

/** The contrast that text needs: WCAG 2.2, section 1.4.3 (AA). */
export const minimumContrast = 4.5;

/** White on a background where it is readable, otherwise black. One of them always is. */
export const textOn = (background: Color): Color => (contrast(white, background) >= minimumContrast ? white : black);

const steps = 50;

/** The nearest color towards black or white with this contrast on every background. Both ends are tried. */
export const nearestWithContrast = (color: Color, backgrounds: readonly Color[], minimum: number): Color => {
  const passes = (candidate: Color) =>
    // Rounded first: the color is written with whole numbers.
    backgrounds.every((background) => contrast(candidate.map(Math.round) as unknown as Color, background) >= minimum);
  for (let step = 0; step <= steps; step += 1) {
    const found = [black, white].map((end) => mix(color, end, step / steps)).find(passes);
    if (found) return found;
  }
  return color;
};
