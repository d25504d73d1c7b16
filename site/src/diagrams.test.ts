import { expect, test } from 'vitest';
import { pictureOf } from './diagrams.ts';

test('a diagram is SVG with the colors of the site, and without any address', () => {
  const picture = pictureOf('flowchart LR\n  one[One] -->|calls| two[(Two)]\n');
  expect(picture).toMatch(/^<svg /);
  expect(picture.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<style/);
  for (const text of ['One', 'calls', 'Two', 'var(--_text)']) expect(picture).toContain(text);
});
