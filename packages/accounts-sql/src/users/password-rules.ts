import { normaliseLogin } from '@carnet/accounts/directory';
import type { PasswordRulesOptions } from '@carnet/accounts/store';

const defaultMinimumLength = 8;
const longestPassword = 1024;

export interface PasswordRules {
  /**
   * The reason why the password is refused, in one sentence; undefined if it is accepted. Throws what `check` throws.
   *
   * @param words the login names of the user and, if it is known, the name
   */
  problemOf(password: string, words: readonly string[]): Promise<string | undefined>;
}

let common: ReadonlySet<string> | undefined;

/** The list takes 5 MB of memory: it is loaded when it is first needed. */
const loadCommon = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map((each) => String(each).toLowerCase()));
};

/** Whether the password is one of the 49,000 most common ones, in any case. */
const isCommon = async (password: string): Promise<boolean> => {
  common ??= await loadCommon();
  return common.has(password.toLowerCase());
};

const rows = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
];

/** Each row twice, so that a password may begin anywhere in it (`67890123`), in both directions. */
const sequences = rows.flatMap((row) => [row.repeat(2), [...row].reverse().join('').repeat(2)]);

/** Whether the password repeats at most four characters (`abcabcab`), or follows the digits, the alphabet or a row of keys. */
const isPredictable = (password: string): boolean => {
  const text = password.toLowerCase();
  const repeats = (unit: string) => unit.repeat(text.length).startsWith(text);
  return [1, 2, 3, 4].some((length) => repeats(text.slice(0, length))) || sequences.some((each) => each.includes(text));
};

/** A text as an attacker who knows the user would vary it: without case, spaces and punctuation. */
const reduced = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether the password is one of the words, or one with up to four digits after it. */
const consistsOf = (password: string, words: readonly string[]): boolean => {
  const text = reduced(password);
  const forms = words.flatMap((word) => [reduced(word), reduced(word.split('@')[0] ?? '')]);
  return forms.some((form) => form !== '' && text.startsWith(form) && /^\d{0,4}$/.test(text.slice(form.length)));
};

/**
 * Rules for new passwords, after NIST SP 800-63B, section 5.1.1.2: a minimum length, no common or predictable
 * password, and none that consists of what an attacker knows of the user; no rules of composition.
 */
export const createPasswordRules = ({
  minimumPasswordLength = defaultMinimumLength,
  brand,
  check,
}: PasswordRulesOptions): PasswordRules => ({
  async problemOf(password, words) {
    if (password.includes('\0')) return 'The password must not contain a NUL character.';
    if (password.length > longestPassword) return `The password must have at most ${longestPassword} characters.`;
    if ([...password].length < minimumPasswordLength)
      return `The password must have at least ${minimumPasswordLength} characters.`;
    const asLogin = normaliseLogin(password);
    if (asLogin !== undefined && words.includes(asLogin)) return 'The password must not be the login name.';
    if (await isCommon(password)) return 'The password is one of the most common ones, which attackers try first.';
    if (isPredictable(password)) return 'The password repeats itself or follows the alphabet or the keyboard.';
    if (consistsOf(password, brand === undefined ? words : [...words, brand]))
      return 'The password must not consist of the name, the login name or the name of this site.';
    return check?.(password);
  },
});
