import { describe, expect, it } from 'vitest';
import { createPasswordRules } from './password-rules.ts';

const { problemOf } = createPasswordRules({ brand: 'Example Shop' });
const words = ['ada.lovelace@example.com', 'Ada King'];

describe('a new password', () => {
  it.each(['password', 'PassWord', '12345678', 'qwertyuiop'])('is refused if it is common: %s', async (password) => {
    expect(await problemOf(password, [])).toMatch(/most common/);
  });

  it.each(['0000000000', 'zzzzzzzzzz', 'xyxyxyxyxy', 'Ab1!Ab1!Ab1!', '876543210987', 'ABCDEFGHIJK', 'lkjhgfdsalk'])(
    'is refused if it repeats itself or is a sequence: %s',
    async (password) => {
      expect(await problemOf(password, [])).toMatch(/repeats itself|most common/);
    },
  );

  it.each([
    'ada.lovelace',
    'AdaLovelace2026',
    'ada king 1',
    'adaking99',
    'exampleshop',
    'Example-Shop1',
    'ADA-LOVELACE',
  ])('is refused if it consists of the name, the login name or the brand: %s', async (password) => {
    expect(await problemOf(password, words)).toMatch(/name/);
  });

  it.each(['correct horse battery', 'ada.lovelace writes programs', 'example shop of the year', 'k2d9-wq1x'])(
    'is accepted: %s',
    async (password) => {
      expect(await problemOf(password, words)).toBeUndefined();
    },
  );
});
