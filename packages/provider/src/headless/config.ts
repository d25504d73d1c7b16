import { z } from 'zod';
import { httpUrlSchema } from '../http/config.ts';

/** The pages of your own application that people are sent to. */
export const urlsSchema = z
  .strictObject({
    login: httpUrlSchema.optional().describe('The login page; it is given `login_challenge`.'),
    consent: httpUrlSchema.optional().describe('The consent page; it is given `consent_challenge`.'),
    logout: httpUrlSchema.optional().describe('The page that asks before a logout; it is given `logout_challenge`.'),
    error: httpUrlSchema
      .optional()
      .describe('The page for errors that may not go to a client; without it Carnet shows its own.'),
    postLogoutRedirect: httpUrlSchema.optional().describe('Where a logout ends that no client asked for.'),
  })
  .prefault({});
