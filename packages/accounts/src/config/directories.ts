import {
  choiceSchema,
  durationSchema,
  flagSchema,
  httpUrlSchema,
  matchingSchema,
  wholeNumberSchema,
} from '@carnet/adapter-contract/settings';
import { z } from 'zod';
import { secretMembersOf } from './secret-members.ts';

const textMessage = 'must be text';
const text = z.string({ error: textMessage }).min(1, 'must not be empty');
const nameMessage = 'must be lower-case letters, digits and hyphens, at most 32, and begin with a letter';
const realmMessage = 'must be a list of realms: letters, digits, dots, hyphens and underscores';
const prefixMessage = 'must be at most 64 printable ASCII characters without spaces';

const attributeName = matchingSchema(/^[A-Za-z][A-Za-z0-9;-]*$/, 'must be the name of an attribute');

/** The members of every directory. */
const common = {
  name: matchingSchema(/^[a-z][a-z0-9-]{0,31}$/, nameMessage).describe(
    'The name of the directory. By default each subject begins with the name, so never change it.',
  ),
  subjectPrefix: matchingSchema(/^[!-~]{0,64}$/, prefixMessage)
    .optional()
    .describe(
      "The subject (`sub`) of a user is this prefix and the user's id in the directory. Default: the name and a dot. Never change it.",
    ),
  realms: z
    .array(z.string().regex(/^[\w.-]{1,255}$/, realmMessage), { error: realmMessage })
    .default([])
    .describe(
      'The realms of the directory. A login `user@realm` or `realm\\user` is looked up only in the directory of its realm. Directories without realms are asked for all other logins.',
    ),
  isDefault: flagSchema
    .default(false)
    .describe('Whether a directory with realms is also asked for logins that name no realm.'),
  keepsRealm: flagSchema
    .default(false)
    .describe('Whether the directory gets the login with its realm. By default it gets the name without the realm.'),
  optional: flagSchema
    .default(false)
    .describe(
      'Whether Carnet skips this directory during an outage and asks the next one. By default an outage ends the sign-in with 503.',
    ),
  cacheSeconds: durationSchema(0, 86_400)
    .default(300)
    .describe(
      'How long a user of an `ldap` or `http` directory stays in the user cache. Passwords are never cached. Default: 300 seconds. 0: no cache.',
    ),
};

const sql = z.strictObject({
  kind: z.literal('sql').describe('The users of the accounts database (`accounts.database`).'),
  ...common,
});

const file = z.strictObject({
  kind: z.literal('file').describe('A JSON file of users with password hashes.'),
  ...common,
  path: text.describe('The path of the file.'),
});

const timeoutMs = wholeNumberSchema(100, 60_000)
  .default(5_000)
  .describe('The maximum duration of a request to the directory, in milliseconds.');

const http = z.strictObject({
  kind: z.literal('http').describe('An HTTP service that checks passwords.'),
  ...common,
  url: httpUrlSchema.describe('The URL of the service. It must be https, unless it is on this machine.'),
  token: text
    .optional()
    .describe(
      'The bearer token that Carnet sends to the service. Prefer the environment variable `ACCOUNTS_DIRECTORY_<NAME>_TOKEN`.',
    )
    .meta({ secret: 'text' }),
  timeoutMs,
});

const ldapUrlMessage = 'must be a list of URLs such as "ldaps://ldap.example.com"';

const ldap = z.strictObject({
  kind: z.literal('ldap').describe('An LDAP server or Active Directory.'),
  ...common,
  urls: z
    .array(z.string().regex(/^ldaps?:\/\/[^/?#@\s]+\/?$/i, ldapUrlMessage), { error: ldapUrlMessage })
    .min(1, ldapUrlMessage)
    .describe('The URLs of the servers (`ldaps://host:port`). Carnet uses the first one that answers.'),
  startTls: flagSchema
    .default(true)
    .describe(
      'Whether connections to `ldap://` URLs are encrypted by StartTLS. Carnet never falls back to clear text.',
    ),
  caFile: text
    .optional()
    .describe('A PEM file with the certificates of the authorities that sign the certificates of the servers.'),
  bindDn: text.optional().describe('The DN of the account with which Carnet searches. Default: an anonymous search.'),
  bindPassword: text
    .optional()
    .describe('The password of `bindDn`. Prefer the environment variable `ACCOUNTS_DIRECTORY_<NAME>_BIND_PASSWORD`.')
    .meta({ secret: 'text' }),
  base: text.describe('The DN below which users are found.'),
  preset: choiceSchema('openldap', 'active-directory')
    .default('openldap')
    .describe('The directory product, which decides the default attributes and the default filter.'),
  loginAttributes: z
    .array(attributeName, { error: 'must be a list of attributes' })
    .default([])
    .describe('The attributes that a login name may match. Default: those of the preset.'),
  filter: text
    .optional()
    .describe(
      'An LDAP filter (RFC 4515) that users must match as well. With `{login}` in an equality, such as `(mail={login})`, it replaces `loginAttributes`. Default: that of the preset.',
    ),
  idAttribute: attributeName
    .optional()
    .describe(
      'The attribute with the permanent id of a user. Default: `entryUUID`, or `objectGUID` in Active Directory.',
    ),
  claims: z
    .record(z.string(), attributeName, { error: 'must be a map from claims to attributes' })
    .default({})
    .describe('The attribute for each claim. These are added to the claims of the preset, and override them.'),
  groups: choiceSchema('none', 'memberOf', 'search')
    .default('none')
    .describe(
      'The source of the claim `groups`: the attribute `memberOf` of the user, or a search for groups with the user as a member.',
    ),
  groupBase: text
    .optional()
    .describe('The DN below which groups are found. With `memberOf`, groups elsewhere are left out. Default: `base`.'),
  groupNames: choiceSchema('name', 'dn')
    .default('name')
    .describe('The text of a group in the claim `groups`: its name, or its whole DN.'),
  nestedGroups: flagSchema
    .default(false)
    .describe(
      'Whether the groups that contain the groups of the user are included. Active Directory needs one search for this, other servers one for each level.',
    ),
  poolSize: wholeNumberSchema(1, 200)
    .default(10)
    .describe(
      'The maximum number of connections for searches, and the same number again for password checks, in each process.',
    ),
  timeoutMs,
});

const kinds = [ldap, sql, http, file] as const;

export const directorySecrets = secretMembersOf(kinds);

export const directoriesSchema = z
  .array(
    z.discriminatedUnion('kind', kinds, {
      error: (issue) =>
        issue.code === 'invalid_union'
          ? 'must be "ldap", "sql", "http" or "file"'
          : 'must be a directory: an object with `kind` and `name`',
    }),
    { error: 'must be a list of directories (in the variable: JSON)' },
  )
  .default([])
  .describe('The directories in which users are looked up, in this order. See "Directories" below.')
  .meta({ secret: 'members' });
