import { describe, expect, it } from 'vitest';
import { createPasswordRules } from './password-rules.ts';

const { problemOf } = createPasswordRules({ brand: 'Example Shop' });
const words = ['ada.lovelace@example.com', 'Ada King'];

describe('a new password', () => {
  it.each(['password', 'PassWord', '12345678', 'qwertyuiop'])('a common password is refused: %s', async (password) => {
    expect(await problemOf(password, [])).toMatch(/most common/);
  });

  it.each(['0000000000', 'zzzzzzzzzz', 'xyxyxyxyxy', 'Ab1!Ab1!Ab1!', '876543210987', 'ABCDEFGHIJK', 'lkjhgfdsalk'])(
    'a password that repeats itself or is a sequence is refused: %s',
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
  ])('a password that consists of the name, the login name or the brand is refused: %s', async (password) => {
    expect(await problemOf(password, words)).toMatch(/name/);
  });

  it.each(['correct horse battery', 'ada.lovelace writes programs', 'example shop of the year', 'k2d9-wq1x'])(
    'a strong password is accepted: %s',
    async (password) => {
      expect(await problemOf(password, words)).toBeUndefined();
    },
  );
});
