import { type Color, contrast, parseColor } from '@carnet/adapter-contract/kit';
import { describe, expect, it } from 'vitest';
import { brandContrast, properties, readable, type SchemeName } from './palette.ts';
import { carnetColors } from './read-brand.ts';

const brands = ['#14614c', '#0057b8', '#c8102e', '#6b21a8', '#1a1a1a', '#7a4b00', '#005f73'].map((text) => {
  const light = parseColor(text) as Color;
  return { text, light, dark: readable(light, 'dark') };
});

/** The pairs of a text and its background on the pages, and what each needs (WCAG 2.2, sections 1.4.3 and 1.4.11). */
const pairs = [
  ['ink', 'paper', 4.5],
  ['ink', 'ground', 4.5],
  ['ink', 'tint', 4.5],
  ['quiet', 'paper', 4.5],
  ['quiet', 'ground', 4.5],
  ['quiet', 'tint', 4.5],
  ['brand', 'paper', 4.5],
  ['brand', 'ground', 4.5],
  ['on-brand', 'brand', 4.5],
  ['on-brand', 'brand-deep', 4.5],
  ['alarm', 'alarm-tint', 4.5],
  ['amber', 'amber-tint', 4.5],
  ['ground-brand', 'ground', 4.5],
  ['ground-ink', 'ground', 4.5],
  ['ground-quiet', 'ground', 4.5],
  ['edge', 'paper', 3],
] as const;

const failures = (color: Color, scheme: SchemeName, ground?: Color) => {
  const all = properties(color, scheme, ground);
  return pairs.filter(([text, ground, minimum]) => contrast(all[text] as Color, all[ground] as Color) < minimum);
};

describe('the palette', () => {
  it.each(brands)('of $text is readable in both schemes', ({ light, dark }) => {
    expect(failures(light, 'light')).toEqual([]);
    expect(failures(dark, 'dark')).toEqual([]);
  });

  it.each(['#ffffff', '#0b2545', '#ffcc00', '#808080', '#777777', '#000000'])(
    'has readable texts on the ground %s',
    (text) => {
      const ground = parseColor(text) as Color;
      const ofGround = (scheme: SchemeName, color: Color) =>
        failures(color, scheme, ground).filter(([name]) => name.startsWith('ground-'));
      expect(ofGround('light', carnetColors.light)).toEqual([]);
      expect(ofGround('dark', carnetColors.dark)).toEqual([]);
    },
  );

  it('of Carnet is readable in both schemes', () => {
    expect(failures(carnetColors.light, 'light')).toEqual([]);
    expect(failures(carnetColors.dark, 'dark')).toEqual([]);
  });

  it.each(['#ffcc00', '#777', '#00ff00', '#ffffff', '#f80'])('has a readable color near %s', (text) => {
    for (const scheme of ['light', 'dark'] as const) {
      const color = readable(parseColor(text) as Color, scheme);
      expect(brandContrast(color.map(Math.round) as unknown as Color, scheme)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('leaves a readable color as it is', () => {
    expect(readable([20, 97, 76], 'light')).toEqual([20, 97, 76]);
  });
});

describe('the contrast', () => {
  it.each([
    ['#000', '#fff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#fff', '#fff', 1],
  ])('of %s and %s is %s', (left, right, ratio) => {
    expect(contrast(parseColor(left) as Color, parseColor(right) as Color)).toBeCloseTo(ratio, 2);
  });

  it.each(['red', '#12', '#12345', 'rgb(0,0,0)', '', '#12345g'])('needs a color, not %j', (text) => {
    expect(parseColor(text)).toBeUndefined();
  });
});
