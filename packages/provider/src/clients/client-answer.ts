import { z } from 'zod';
import { always, lifespans, optional, strictMembers } from './client-schema.ts';

/** Members that are `null` in the answer to a create or PUT that did not give them. */
const nullable = ['redirect_uris', 'grant_types', 'response_types', 'contacts', 'skip_logout_consent'] as const;
/** Members that are `''` or `{}` when they are not given. */
const mayBeEmpty = ['policy_uri', 'tos_uri', 'client_uri', 'logo_uri'];

const everyMember = strictMembers(always);
const nulls = Object.fromEntries(nullable.map((name) => [name, everyMember[name].nullable()]));
const empties = Object.fromEntries(mayBeEmpty.map((name) => [name, z.string()]));

/** A client as the admin API answers it. */
export const clientAnswer = z
  .strictObject({
    client_id: z.string(),
    ...everyMember,
    ...nulls,
    ...empties,
    jwks: z.union([z.strictObject({}), everyMember.jwks]),
    ...strictMembers(lifespans, () => z.string().nullable()),
    ...strictMembers(optional, (field) => field.optional()),
    client_secret: z.string().optional().describe('The secret. Only the response that creates it contains it.'),
    registration_access_token: z
      .string()
      .optional()
      .describe(
        'The token with which the client manages its registration (RFC 7592). Only the response that creates it contains it.',
      ),
    registration_client_uri: z.string().optional(),
    configuration_key: z
      .string()
      .optional()
      .describe(
        'The key of a client that is part of the configuration, such as clients.0. Only there it can be changed.',
      ),
    client_secret_expires_at: z.literal(0),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'OAuth2Client' });
