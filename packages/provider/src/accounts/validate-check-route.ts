import type { OpenedAccounts } from '@carnet/accounts';
import { z } from 'zod';
import { CarnetError } from '../errors.ts';
import type { Route } from '../http/types.ts';
import { nameFailures } from './failures.ts';

const form = z.object({
  user: z.string(),
  realm: z.string().optional(),
  pass: z.string().describe('The PIN, the PIN and a code, or the password and a code.'),
});

const answer = z.looseObject({ result: z.looseObject({ status: z.boolean() }) });

/**
 * `POST /validate/check` of privacyIDEA. The route is open for callers without the admin token: `validateCheck` itself
 * refuses every caller but those with its own token or from an allowed address. There is no GET, because passwords would
 * be in access logs.
 */
export const validateCheckRoute = (validateCheck: NonNullable<OpenedAccounts['validateCheck']>): Route => ({
  method: 'POST',
  path: '/validate/check',
  isOpen: true,
  operationId: 'validateCheck',
  summary: "Check a user's PIN or code, as PAM and RADIUS plug-ins of privacyIDEA do.",
  body: { type: 'application/x-www-form-urlencoded', schema: form },
  answers: { 200: answer, 400: answer, 401: answer },
  handle: async (request) => {
    const { authorization, origin, 'content-type': contentType } = request.headers;
    // Plug-ins send no Origin: this request comes from a page in a browser, perhaps on a machine with an allowed address.
    if (origin !== undefined)
      throw new CarnetError('request_forbidden', '/validate/check takes no requests from web pages.');
    const body = (await request.body()).toString();
    return nameFailures(() => validateCheck({ authorization, contentType, address: request.address, body }));
  },
});
