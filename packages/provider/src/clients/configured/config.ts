import { wholeNumberSchema } from '@carnet/adapter-contract/settings';
import { z } from 'zod';
import { CarnetError } from '../../errors.ts';
import { describeMember } from '../client-descriptions.ts';
import { text } from '../client-fields.ts';
import { always, clientBody, lifespans, optional } from '../client-schema.ts';
import { parseClient } from '../parse-client.ts';
import { defaultAuthMethod, secretAuthMethods } from '../secret-fields.ts';
import { maxSecretBytes } from '../secret-hash.ts';
import { type Shape, strictMembers } from '../strict-members.ts';
import { type ClientSettings, secretVariableOf } from './settings.ts';

/** Guessing must not succeed, although secrets of the configuration are verified by a fast hash. */
const minSecretLength = 16;

const { client_id, client_secret_hash } = strictMembers(clientBody.shape, (member) => member);

/** The members of a client in the configuration. `null` and empty values are refused: they would hide a mistake. */
const members: Shape = {
  client_id: (client_id as z.ZodType).describe(
    'The id of the client. Its tokens and consents belong to this id, so never give it to another client.',
  ),
  client_secret: text(maxSecretBytes)
    .min(
      minSecretLength,
      `must be at least ${minSecretLength} characters long, so that it cannot be guessed: \`openssl rand -hex 16\` makes one`,
    )
    .optional()
    .describe('The secret, of at least 16 characters. Prefer the environment variable `CLIENT_<ID>_SECRET`.')
    .meta({ secret: 'text' }),
  client_secret_hash: (client_secret_hash as z.ZodType)
    .optional()
    .describe('In place of `client_secret`: its bcrypt or PBKDF2 hash, or a list with those of previous secrets, too.')
    .meta({ secret: 'text' }),
  ...strictMembers({ ...always, ...lifespans, ...optional }, (member, name) =>
    member.optional().describe(describeMember(name)),
  ),
  token_epoch: wholeNumberSchema(0, 1_000_000_000)
    .optional()
    .describe('Increase it by one to invalidate all access tokens of the client. Default: 0.'),
};

type Report = (member: string | undefined, message: string) => void;

/** A client has a secret if it authenticates by one, and only then. */
const checkSecret = (client: ClientSettings, report: Report): void => {
  const {
    client_secret: secret,
    client_secret_hash: hash,
    token_endpoint_auth_method: method = defaultAuthMethod,
  } = client;
  const hasSecret = secret !== undefined || hash !== undefined;
  const usesSecret = secretAuthMethods.includes(method);
  if (usesSecret && !hasSecret) {
    const variable = secretVariableOf(String(client.client_id));
    report(
      'client_secret',
      `is missing. Set it (the carnet command also reads the variable ${variable}, or the file that ${variable}_FILE names), or set token_endpoint_auth_method to none for a public client.`,
    );
  }
  if (!usesSecret && hasSecret)
    report('client_secret', `is not used: token_endpoint_auth_method is ${method}. Remove one of the two.`);
};

/** The rules between members of the admin API. */
const checkMembers = (client: ClientSettings, report: Report): void => {
  try {
    parseClient(client);
  } catch (error) {
    if (!(error instanceof CarnetError)) throw error;
    const prefix = `Field ${error.field}`;
    const isOfField = error.description.startsWith(prefix);
    report(error.field, isOfField ? error.description.slice(prefix.length).replace(/^:? /, '') : error.description);
  }
};

const clientSchema = z.strictObject(members, { error: 'must be a client: an object with client_id' }).superRefine(
  (value, { addIssue, issues }) => {
    const client = value as unknown as ClientSettings;
    const report: Report = (member, message) =>
      addIssue({ code: 'custom', path: member === undefined ? [] : [member], message });
    if (issues.length === 0) checkMembers(client, report);
    checkSecret(client, report);
  },
  // Also if single members are invalid, so that all problems are reported at once.
  { when: ({ value }) => typeof value === 'object' && value !== null },
);

const idOf = (client: unknown): unknown => (client as ClientSettings | undefined)?.client_id;

/** The clients of the configuration. Plain data, so that they can be sent to another process. */
export const clientsSchema = z
  .array(clientSchema, { error: 'must be a list of clients (in the variable: JSON)' })
  .superRefine(
    (clients: readonly unknown[], { addIssue }) => {
      const ids = clients.map(idOf);
      for (const [index, id] of ids.entries()) {
        const first = ids.indexOf(id);
        if (typeof id !== 'string' || first === index) continue;
        const message = `is also the id of clients.${first}. Give each client its own id.`;
        addIssue({ code: 'custom', path: [index, 'client_id'], message });
      }
    },
    // Also if single clients are invalid.
    { when: ({ value }) => Array.isArray(value) },
  )
  .default([])
  .describe(
    'Clients that are part of the configuration: they are in no store, and the admin API cannot change them. See "Clients" below.',
  )
  .meta({ secret: 'members' }) as unknown as z.ZodDefault<z.ZodType<ClientSettings[]>>;
