import { parseJson } from '@carnet/adapter-contract/kit';
import { z } from 'zod';

const parameters = z.object({
  user: z.string().min(1).max(320),
  realm: z.string().max(255).optional(),
  pass: z.string().max(1024),
});

export type ValidateParameters = z.output<typeof parameters>;

/** The parameters of a form or of a JSON object, or a text that names the problem. Other members have no effect. */
export const readParameters = (body: string, contentType = ''): ValidateParameters | string => {
  // A parser of the surrounding app may have read a form: its fields arrive as JSON.
  const isJson = /^application\/json\b/i.test(contentType) || body.startsWith('{');
  const parsed = parameters.safeParse(isJson ? parseJson(body) : Object.fromEntries(new URLSearchParams(body)));
  return parsed.success
    ? parsed.data
    : 'Missing parameter: send user, pass and optionally realm, as a form or as JSON.';
};
