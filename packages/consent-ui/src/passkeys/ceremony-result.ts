import { z } from 'zod';
import { Problem } from '../problem.ts';

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue('not JSON');
    return z.NEVER;
  }
});

const fields = z.object({ challenge: z.string().min(1), response: json.pipe(z.record(z.string(), z.unknown())) });

/** The result of a ceremony, from the form of a passkey. @throws Problem `invalid_form` */
export const ceremonyResult = (form: URLSearchParams): z.infer<typeof fields> => {
  const result = fields.safeParse(Object.fromEntries(form));
  if (!result.success) throw new Problem('invalid_form');
  return result.data;
};
