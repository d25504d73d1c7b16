import { z } from 'zod';
import { passwordIn } from '../http/form-password.ts';
import { Problem } from '../problem.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const control = /[\u0000-\u001f\u007f]/;

const loginName = z
  .string()
  .min(1)
  .max(320)
  .refine((text) => text.trim() !== '' && !control.test(text));

/** The login name of a form. @throws Problem `invalid_form` if no browser sends such a form */
export const loginNameOf = (form: URLSearchParams): string => {
  const result = loginName.safeParse(form.get('email'));
  // Without the cause: it could carry what was typed.
  if (!result.success) throw new Problem('invalid_form');
  return result.data.trim();
};

/** The fields of the login form. @throws Problem `invalid_form` if no browser sends such a form */
export const credentialsOf = (form: URLSearchParams) => {
  const remember = form.get('remember');
  if (remember !== null && remember !== '1') throw new Problem('invalid_form');
  return { login: loginNameOf(form), password: passwordIn(form, 'password'), remember: remember === '1' };
};
