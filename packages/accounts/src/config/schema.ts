import {
  choiceSchema,
  durationSchema,
  flagSchema,
  httpUrlSchema,
  matchingSchema,
  networksSchema,
  section,
  wholeNumberSchema,
} from '@carnet/adapter-contract/settings';
import { z } from 'zod';
import { policies } from '../second-factors/policy/settings.ts';
import { factorKinds } from '../second-factors/store.ts';
import { directoriesSchema } from './directories.ts';
import { mailSection } from './mail.ts';
import { organizationsSchema } from './organizations.ts';
import { providersSchema } from './providers.ts';
import { scimSchema } from './scim.ts';

const text = z.string({ error: 'must be text' }).min(1, 'must not be empty');

const policy = z.enum(policies, { error: `must be one of ${policies.join(', ')}` });

const kindsMessage = `must be a list of ${factorKinds.join(', ')}`;

const secondFactors = section({
  policy: policy
    .default('optional')
    .describe(
      'Whether users need a second factor. `none`: the password is enough. `optional`: users who have one must use it. `required`: users without one must enrol one. `phishing_resistant`: a passkey is required.',
    ),
  realms: z
    .record(z.string(), policy, { error: 'must be a map from realms to policies' })
    .default({})
    .describe('The policy of each realm. Realms that are not listed have `policy`.'),
  clients: z
    .record(z.string(), policy, { error: 'must be a map from client ids to policies' })
    .default({})
    .describe('Policies by client id. The stricter of the policies of the client and the realm applies.'),
  kinds: z
    .array(z.enum(factorKinds, { error: kindsMessage }), { error: kindsMessage })
    .default(['totp', 'recovery_code', 'passkey'])
    .describe(
      'The kinds of factors that users can enrol. Factors of other kinds that users already have stay valid, except PINs. With `email`, users with a verified address and without an app, a token or a passkey get a code by email; nothing is enrolled.',
    ),
});

const passkeys = section({
  rpId: z
    .string({ error: 'must be a host name' })
    .regex(/^[a-z0-9.-]+$/i, 'must be a host name, without scheme and port')
    .optional()
    .describe(
      'The domain for which passkeys are valid: the host of the login page, or a domain above it. Default: the host of `urls.login`. Changing it invalidates all passkeys.',
    ),
  rpName: text.default('Carnet').describe('The name that browsers show when a user creates a passkey.'),
  origins: z
    .array(httpUrlSchema, { error: 'must be a list of origins such as "https://login.example.com"' })
    .default([])
    .describe('The origins of the pages that ask for passkeys. Default: the origin of `urls.login`.'),
});

const attempts = section({
  perLogin: wholeNumberSchema(1, 1_000)
    .default(10)
    .describe('The number of failed sign-ins that a login name may have in one window.'),
  perAddress: wholeNumberSchema(1, 100_000)
    .default(100)
    .describe('The number of failed sign-ins that an IP address may have in one window.'),
  windowSeconds: durationSchema(1, 86_400)
    .default(300)
    .describe('The length of a window in which failed sign-ins are counted.'),
});

const validateCheck = section({
  enabled: flagSchema
    .default(false)
    .describe(
      'Whether the admin listener answers `POST /validate/check`. PAM and RADIUS plug-ins of privacyIDEA use it to check passwords and codes.',
    ),
  token: z
    .string({ error: 'must be text' })
    .min(16, 'must have at least 16 characters: `openssl rand -hex 32` makes one')
    .optional()
    .describe(
      'The bearer token that callers of `/validate/check` must send, unless `accounts.validateCheck.allow` lists their address.',
    )
    .meta({ secret: 'text' }),
  allow: networksSchema
    .default([])
    .describe('IP addresses and networks (`10.1.0.0/16`) of the callers of `/validate/check` that need no token.'),
  mode: z
    .enum(['pin', 'pin_otp', 'password_otp'])
    .default('password_otp')
    .describe(
      'The content of `pass`: the static PIN (`pin`), the PIN and a code of an authenticator app (`pin_otp`), or the password of the directory and a code (`password_otp`).',
    ),
});

/** The users: their directories, second factors and accounts. Absent: another program checks users. */
export const accountsSchema = z
  .strictObject({
    database: matchingSchema(
      /^(?:sqlite|postgres|postgresql):./,
      'must be a URL that begins with sqlite:, postgres: or postgresql:',
    )
      .optional()
      .describe(
        'The accounts database: `sqlite:accounts.db`, `postgres://user:password@host/database`. It holds the users of the directory of the kind `sql`, all second factors and the counts of failed attempts.',
      )
      .meta({ secret: 'url' }),
    migrate: flagSchema
      .optional()
      .describe(
        'Whether Carnet migrates an accounts database on Postgres at startup. Default: true in dev mode. Otherwise run `carnet migrate up`. SQLite is always migrated.',
      ),
    directories: directoriesSchema,
    providers: providersSchema,
    organizations: organizationsSchema,
    cache: section({
      place: choiceSchema('process', 'database')
        .default('process')
        .describe(
          'The place of the user cache: `process` (each process has its own) or `database` (all processes share one in the accounts database).',
        ),
      maxEntries: wholeNumberSchema(1, 1_000_000)
        .default(10_000)
        .describe('The maximum number of users in the cache of a process.'),
    }),
    secondFactors,
    passkeys,
    signUp: section({
      enabled: flagSchema
        .default(false)
        .describe(
          'Whether users can create an account. Sign-up needs a directory of the kind `sql` and a mail server.',
        ),
    }),
    emailSignIn: section({
      enabled: flagSchema
        .default(false)
        .describe(
          'Whether users with a verified email address can sign in with a code by email instead of the password. It needs the accounts database and a mail server.',
        ),
    }),
    recovery: section({
      enabled: flagSchema
        .default(false)
        .describe(
          'Whether users who have forgotten their password can set a new one by email. Recovery needs a directory of the kind `sql` and a mail server.',
        ),
    }),
    invitations: section({
      page: httpUrlSchema
        .optional()
        .describe(
          'The page to which invitations link, with the parameter `token`. Default: `/invitation` at the origin of `urls.login`, which the bundled pages have.',
        ),
      validSeconds: durationSchema(3_600, 2_592_000)
        .default(604_800)
        .describe('How long the link of an invitation is valid.'),
    }),
    deletion: section({
      enabled: flagSchema
        .default(false)
        .describe('Whether users of the directory of the kind `sql` can delete their account.'),
      graceSeconds: durationSchema(3_600, 31_536_000)
        .default(1_209_600)
        .describe('How long users who have asked for the deletion can keep their account by signing in.'),
    }),
    mail: mailSection,
    scopes: z
      .record(z.string().min(1), z.array(z.string().min(1)))
      .default({ groups: ['groups'], roles: ['roles'] })
      .describe(
        'The claims of each scope besides the standard ones (`profile`, `email`, `address`, `phone`): `department: [department, manager]`. The bundled pages add them to ID tokens, userinfo and access tokens if the scope is granted.',
      ),
    passwords: section({
      minimumLength: wholeNumberSchema(8, 128)
        .default(8)
        .describe('The minimum length of new passwords in the accounts database, in characters.'),
      check: httpUrlSchema
        .optional()
        .describe(
          'The URL of a range API of leaked passwords: `https://api.pwnedpasswords.com/range/` or a copy of it. For each new password, Carnet appends the first five hexadecimal digits of the SHA-1 hash to it. If the API does not answer in two seconds, only the other rules apply. In process, pass a function: `createProvider(config, { passwordCheck })`.',
        ),
    }),
    attempts,
    validateCheck,
    scim: scimSchema,
    demoUser: flagSchema
      .default(false)
      .describe(
        'Whether an empty accounts database gets the user demo@example.com with the password carnet-demo. In dev mode only.',
      ),
    revokeTokensOnPasswordChange: flagSchema
      .default(true)
      .describe(
        "Whether a change of the password revokes the user's tokens and remembered consents. It always ends the remembered logins.",
      ),
  })
  .optional();

/**
 * Users of the bundled login page in dev mode: an accounts database with a demo user, sign-up and recovery, and emails in the
 * output of the process.
 */
export const devAccounts = (database: string) =>
  accountsSchema.parse({
    database,
    directories: [{ name: 'users', kind: 'sql' }],
    signUp: { enabled: true },
    recovery: { enabled: true },
    mail: { url: 'log:', from: 'Carnet <accounts@localhost>' },
    demoUser: true,
  });
