import { wholeNumberSchema } from '@carnet/adapter-contract/settings';
import { z } from 'zod';
import { CarnetError } from '../../errors.ts';
import { memberDescriptions } from '../client-descriptions.ts';
import { defaultAuthMethod, secretAuthMethods, text } from '../client-fields.ts';
import { clientBody, type RegisteredMetadata, registered, strictMembers } from '../client-schema.ts';
import { parseClient } from '../parse-client.ts';
import { maxSecretBytes } from '../secret-hash.ts';
/** A client of the key `clients`: metadata by their registered names, as in the admin API, but without `null`. */
export type ClientSettings = {
  readonly [Name in Exclude<keyof RegisteredMetadata, 'jwks'>]?: NonNullable<RegisteredMetadata[Name]>;
} & {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly client_secret_hash?: string | string[];
  readonly jwks?: { readonly keys: ({ readonly kty: string } & Readonly<Record<string, unknown>>)[] };
  /** Increased by one, it invalidates all access tokens of the client. Default 0. */
  readonly token_epoch?: number;
};

/** `shop-app` -> `CLIENT_SHOP_APP_SECRET`: the environment variable from which the `carnet` command takes a secret. */
export const secretVariableOf = (clientId: string): string =>
  `CLIENT_${clientId.toUpperCase().replaceAll(/[^A-Z\d]+/g, '_')}_SECRET`;

/** Guessing must not succeed, although secrets of the configuration are verified by a fast hash. */
const minSecretLength = 16;

const { client_id, client_secret_hash } = strictMembers(clientBody.shape);

/** The members of a client in the configuration. `null` and empty values are refused: they would hide a mistake. */
const members = {
  client_id: client_id.describe(
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
  client_secret_hash: client_secret_hash
    .optional()
    .describe('In place of `client_secret`: its bcrypt or PBKDF2 hash, or a list with those of previous secrets, too.')
    .meta({ secret: 'text' }),
  ...strictMembers(registered.shape, (member, name) => member.optional().describe(memberDescriptions[name])),
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
