import { parseJson } from '@carnet/adapter-contract/kit';
import { z } from 'zod';
import { Problem } from '../problem.ts';

const fields = z.object({ challenge: z.string().min(1), response: z.record(z.string(), z.unknown()) });

/** The result of a ceremony, from the form of a passkey. @throws Problem `invalid_form` */
export const ceremonyResult = (form: URLSearchParams): z.infer<typeof fields> => {
  const response = parseJson(form.get('response') ?? '');
  const result = fields.safeParse({ challenge: form.get('challenge'), response });
  if (!result.success) throw new Problem('invalid_form');
  return result.data;
};
