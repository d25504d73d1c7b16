import { adminOptions } from '../admin-api.ts';
import { type Command, onlyOperand, type Surface, someOperands, text, UsageError } from '../command.ts';
import { show, shownIds } from '../output.ts';
import { changeServedUsers, createInvitedUser, toUser } from './server-commands.ts';
import { showUsers } from './show-users.ts';
import { type ConfiguredUsers, findUser, readPassword, userOptions, withUsers } from './users-database.ts';

const operand = 'login, subject or id of a user';

const pageSizeOf = (value = '100'): number => {
  if (/^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 500) return Number(value);
  throw new UsageError('--page-size must be a number from 1 to 500.');
};

/** The options of the commands that can end sessions, too. */
const endingOptions = {
  'end-sessions': {
    type: 'boolean',
    summary:
      'By the admin API of a running server: end the sessions as well, and revoke all grants and tokens. Without it, only the accounts database is changed.',
  },
  ...adminOptions,
  ...userOptions,
} as const;

/** These commands change only the accounts database: a running server ends the sessions of a user. */
const noteSessions = (surface: Surface, subject: string): void => {
  const path = '/admin/oauth2/auth/sessions';
  const query = `subject=${encodeURIComponent(subject)}`;
  surface.err(
    `Existing sessions and tokens of the user stay valid. End them with the admin API: DELETE ${path}/login?${query} and DELETE ${path}/consent?${query}&all=true`,
  );
};

const usersList: Command = {
  name: 'users list',
  summary: 'List the users of the accounts database.',
  options: {
    'page-size': { type: 'string', value: 'number', summary: 'Users on a page, up to 500. Default 100.' },
    'page-token': { type: 'string', value: 'token', summary: 'The token of the next page.' },
    all: { type: 'boolean', summary: 'List all pages.' },
    ...userOptions,
  },
  examples: [
    'carnet users list --config accounts.yaml',
    'carnet users list --all --format json --config accounts.yaml',
  ],
  run: async (values, surface) => {
    const limit = pageSizeOf(text(values, 'page-size'));
    await withUsers(values, surface, async (configured) => {
      const { users, next } = await configured.users.list({ after: text(values, 'page-token'), limit });
      const all = [...users];
      let token = next;
      while (values.all === true && token !== undefined) {
        const page = await configured.users.list({ after: token, limit });
        all.push(...page.users);
        token = page.next;
      }
      await showUsers(values, surface, configured, {
        users: all,
        isList: true,
        more: { next_page_token: token ?? '', is_last_page: token === undefined },
        notes: token === undefined ? [] : ['', `NEXT PAGE TOKEN  ${token}`],
      });
    });
  },
};

const usersShow: Command = {
  name: 'users show',
  summary: 'Show a user with the claims and second factors, without secrets.',
  options: userOptions,
  operands: '<user>',
  examples: ['carnet users show demo@example.com --config accounts.yaml --format json'],
  run: async (values, surface, operands) => {
    const name = onlyOperand(operands, operand);
    await withUsers(values, surface, async (configured) => {
      const user = await findUser(configured, name);
      const factors = await configured.users.factorsOf(configured.subjectOf(user.id));
      const shown = factors.map(({ id, kind, label, confirmedAt }) => ({
        id,
        kind,
        label,
        confirmed: confirmedAt !== undefined,
      }));
      const notes = shown.map(({ kind, label }) => `FACTOR   ${kind}  ${label}`);
      await showUsers(values, surface, configured, { users: [user], more: { factors: shown }, notes });
    });
  },
};

const usersCreate: Command = {
  name: 'users create',
  summary:
    'Create a user. Without a password, the user sets one with the link of an invitation, or with "Forgot your password?".',
  options: {
    email: { type: 'string', value: 'address', summary: 'The email address: a login name.' },
    'email-verified': { type: 'boolean', summary: 'Mark the address as confirmed.' },
    username: { type: 'string', value: 'name', summary: 'Another login name.' },
    name: { type: 'string', value: 'name', summary: 'The full name (claim `name`).' },
    'password-stdin': { type: 'boolean', summary: 'Read the password from the standard input.' },
    invite: {
      type: 'boolean',
      summary:
        'By the admin API of a running server: send the user an email with a link, to choose the password. Needs --email.',
    },
    ...adminOptions,
    ...userOptions,
  },
  examples: [
    'echo "a long password" | carnet users create --email demo@example.com --name Demo --password-stdin --config accounts.yaml',
    'carnet users create --email ada@example.com --name "Ada Lovelace" --invite',
  ],
  run: async (values, surface) => {
    const [email, username, name] = ['email', 'username', 'name'].map((option) => text(values, option));
    if (email === undefined && username === undefined) throw new UsageError('Give --email, --username or both.');
    if (values.invite === true) {
      if (values['password-stdin'] === true) throw new UsageError('Give --invite or --password-stdin, not both.');
      await createInvitedUser(values, surface);
      return;
    }
    const password = values['password-stdin'] === true ? await readPassword(surface) : undefined;
    await withUsers(values, surface, async (configured) => {
      const created = await configured.users.create({
        email,
        username,
        password,
        emailVerified: values['email-verified'] === true,
        claims: name === undefined ? {} : { name },
      });
      if (!created.created) throw new Error(created.message);
      await showUsers(values, surface, configured, { users: [created.user] });
    });
  },
};

const usersSetPassword: Command = {
  name: 'users set-password',
  summary: 'Set the password of a user. The command reads the password from the standard input.',
  options: userOptions,
  operands: '<user>',
  examples: ['echo "another long password" | carnet users set-password demo@example.com --config accounts.yaml'],
  run: async (values, surface, operands) => {
    const name = onlyOperand(operands, operand);
    const password = await readPassword(surface);
    await withUsers(values, surface, async (configured) => {
      const { id } = await findUser(configured, name);
      const set = await configured.users.setPassword(id, password);
      if (!set.changed)
        throw new Error(set.reason === 'weak_password' ? set.message : 'The user was deleted in the meantime.');
      noteSessions(surface, configured.subjectOf(id));
      await show(values, surface, shownIds([configured.subjectOf(id)]));
    });
  },
};

/**
 * A command that does the same with each user that it names: in the accounts database or, if it ends sessions, at a running
 * server.
 */
const forEach = (
  command: Pick<Command, 'name' | 'summary' | 'examples'>,
  work: (configured: ConfiguredUsers, id: string, surface: Surface) => Promise<unknown>,
  served?: ReturnType<typeof toUser>,
): Command => ({
  ...command,
  options: served === undefined ? userOptions : endingOptions,
  operands: '<user> [<user> ...]',
  run: async (values, surface, operands) => {
    const names = someOperands(operands, operand);
    if (served !== undefined && values['end-sessions'] === true) {
      await changeServedUsers(values, surface, names, served);
      return;
    }
    await withUsers(values, surface, async (configured) => {
      const changed: string[] = [];
      for (const name of names) {
        const { id } = await findUser(configured, name);
        await work(configured, id, surface);
        changed.push(configured.subjectOf(id));
      }
      await show(values, surface, shownIds(changed));
    });
  },
});

const usersDisable = forEach(
  {
    name: 'users disable',
    summary: 'Disable users: they cannot sign in, and see the same message as for a wrong password.',
    examples: [
      'carnet users disable demo@example.com --end-sessions',
      'carnet users disable demo@example.com --config accounts.yaml',
    ],
  },
  async ({ users, subjectOf }, id, surface) => {
    await users.setState(id, 'disabled');
    noteSessions(surface, subjectOf(id));
  },
  toUser('POST', '/disable'),
);

const usersEnable = forEach(
  {
    name: 'users enable',
    summary: 'Enable disabled or locked users, so that they can sign in again.',
    examples: ['carnet users enable demo@example.com --config accounts.yaml'],
  },
  ({ users }, id) => users.setState(id, 'active'),
);

const usersKeep = forEach(
  {
    name: 'users keep',
    summary: 'Keep users who have asked to be deleted.',
    examples: ['carnet users keep demo@example.com --config accounts.yaml'],
  },
  async ({ users }, id) => {
    const isKept = (await users.cancelDeletion(id)) || (await users.deletionOf(id)) === undefined;
    if (!isKept) throw new Error('It is too late: the user is about to be deleted.');
  },
);

const usersDelete = forEach(
  {
    name: 'users delete',
    summary: 'Delete users with their login names, passwords and second factors.',
    examples: [
      'carnet users delete demo@example.com --end-sessions',
      'carnet users delete demo@example.com --config accounts.yaml',
    ],
  },
  async ({ users, subjectOf }, id, surface) => {
    await users.remove(id, subjectOf(id));
    noteSessions(surface, subjectOf(id));
  },
  toUser('DELETE'),
);

export const userCommands = [
  usersCreate,
  usersList,
  usersShow,
  usersSetPassword,
  usersDisable,
  usersEnable,
  usersKeep,
  usersDelete,
] as const;
