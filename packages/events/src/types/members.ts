import { z } from 'zod';

const text = z.string();

/** Everything that the data of an event may hold: ids, names and reasons only. It has no secret, code, token, claim or address. */
export const eventMembers = {
  outcome: z.enum(['success', 'denied']).describe('`success`, or `denied`: the action was refused, or failed.'),
  reason: text.describe('A code: the reason of a refusal, or what was changed.'),
  subject: text.describe('The subject of the user who acted, or whom the action concerns.'),
  group: text.describe('The id of the group.'),
  client_id: text.describe('The client.'),
  method: text.describe(
    'How the user signed in: `password`, `email`, `factor`, `passkey`, `provider`, `validate_check`.',
  ),
  credential: text.describe('The credential: `password`, or the kind of second factor.'),
  provider: text.describe('The name of the identity provider (`accounts.providers`).'),
  directory: text.describe('The name of the directory of the user.'),
  grant_type: text.describe('The grant type of the request (RFC 6749).'),
  registered_auth_method: text.describe('The authentication method of the client, if the request used another.'),
  key_set: text.describe('The name of the key set.'),
  kid: text.describe('The id of the key.'),
  action: text.describe('The action in the audit log.'),
  by_admin: z
    .literal(true)
    .describe(
      'The admin API, SCIM or a function in process made the change. It is also set if a user ends sessions or revokes consents at the account page.',
    ),
  admin_token: text.describe(
    'The name of the admin token of the request (`admin.tokens`), never its value. `accounts.scim.token` for SCIM.',
  ),
  request_id: text.describe('The id of the request in the log.'),
} as const;

export type EventMember = keyof typeof eventMembers;

export type EventData = { readonly [Member in EventMember]?: z.output<(typeof eventMembers)[Member]> | undefined };

/** The members that every type may have. */
export const commonMembers = ['outcome', 'reason', 'by_admin', 'admin_token', 'request_id'] as const;
