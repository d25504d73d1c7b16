import { expect, it } from 'vitest';
import { pageScript } from './page-script.ts';

it('the script of the pages is small and complete', () => {
  expect(Buffer.byteLength(pageScript)).toBeLessThan(3072);
  expect(() => new Function(pageScript)).not.toThrow();
});
