import { Problem } from '../problem.ts';

/**
 * A password of a form. A NUL is refused, because hashes that end at a NUL would accept a password that only begins like the
 * correct one.
 *
 * @throws Problem `invalid_form`
 */
export const passwordIn = (form: URLSearchParams, name: string): string => {
  const password = form.get(name) ?? '';
  if (password === '' || password.length > 1024 || password.includes('\0')) throw new Problem('invalid_form');
  return password;
};
