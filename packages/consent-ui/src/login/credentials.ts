import { z } from 'zod';
import { Problem } from '../problem.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const control = /[\u0000-\u001f\u007f]/;

const loginName = z
  .string()
  .min(1)
  .max(320)
  .refine((text) => text.trim() !== '' && !control.test(text));

const fields = z.object({
  email: loginName,
  // Hashes that stop at a NUL would otherwise accept what only begins like the password.
  password: z
    .string()
    .min(1)
    .max(1024)
    .refine((text) => !text.includes('\0')),
  remember: z.literal('1').optional(),
});

export interface Credentials {
  readonly userName: string;
  readonly password: string;
  readonly remember: boolean;
}

/** The fields of the login form. @throws Problem `invalid_form` if no browser sends such a form */
export const credentialsOf = (form: URLSearchParams): Credentials => {
  const result = fields.safeParse(Object.fromEntries(form));
  // Without the cause: it could carry what was typed.
  if (!result.success) throw new Problem('invalid_form');
  return { userName: result.data.email.trim(), password: result.data.password, remember: result.data.remember === '1' };
};

/** The login name of a form without a password. @throws Problem `invalid_form` if no browser sends such a form */
export const loginNameOf = (form: URLSearchParams): string => {
  const result = loginName.safeParse(form.get('email'));
  if (!result.success) throw new Problem('invalid_form');
  return result.data.trim();
};
