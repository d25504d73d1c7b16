import { type AdminApi, adminOptions, connectAdmin } from '../admin-api.ts';
import {
  type Command,
  onlyOperand,
  type Surface,
  someOperands,
  text,
  texts,
  UsageError,
  type Values,
} from '../command.ts';
import { show, shownIds } from '../output.ts';
import { type ServedUser, showServedUser } from './show-users.ts';

const operand = 'login or subject of a user';

const pathOf = (subject: string): string => `/users/${encodeURIComponent(subject)}`;

/** The subject of the user with this login name at a running server. A name without a user is a subject already. */
export const subjectOf = async (api: AdminApi, name: string): Promise<string> => {
  const { body } = await api.call('GET', '/users', { query: { login: name } });
  const [user] = body as readonly ServedUser[];
  return user?.subject ?? name;
};

type ServedChange = (api: AdminApi, subject: string) => Promise<unknown>;

/** A request about one user, such as `DELETE /admin/users/{subject}/sessions`. */
export const toUser =
  (method: 'POST' | 'DELETE', path = ''): ServedChange =>
  (api, subject) =>
    api.call(method, `${pathOf(subject)}${path}`);

/** Does the same with each user that an operand names, by the admin API of a running server, and shows the subjects. */
export const changeServedUsers = async (
  values: Values,
  surface: Surface,
  names: readonly string[],
  change: ServedChange,
): Promise<void> => {
  const api = connectAdmin(values, surface);
  const changed: string[] = [];
  for (const name of names) {
    const subject = await subjectOf(api, name);
    await change(api, subject);
    changed.push(subject);
  }
  await show(values, surface, shownIds(changed));
};

/** A value of `--claim`: JSON, or else text. */
const claimIn = (given: string): readonly [string, unknown] => {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (name === '') throw new UsageError('--claim must be of the form name=value.');
  try {
    return [name, JSON.parse(value)];
  } catch {
    return [name, value];
  }
};

const changeOf = (values: Values) => {
  const claims = Object.fromEntries([
    ...texts(values, 'claim').map(claimIn),
    ...(values.name === undefined ? [] : [['name', text(values, 'name')]]),
  ]);
  const [email, username, state] = ['email', 'username', 'state'].map((option) => text(values, option));
  return {
    ...(email !== undefined && { email: email === '' ? null : email }),
    ...(values['email-verified'] === true && { email_verified: true }),
    ...(username !== undefined && { username: username === '' ? null : username }),
    ...(state !== undefined && { state }),
    ...(Object.keys(claims).length > 0 && { claims }),
  };
};

const usersUpdate: Command = {
  name: 'users update',
  summary:
    'Change a user of a running server. With --state disabled or locked, the user is signed out everywhere, and all tokens are revoked.',
  options: {
    email: { type: 'string', value: 'address', summary: 'The email address. Empty: remove it.' },
    'email-verified': { type: 'boolean', summary: 'Mark the address as confirmed.' },
    username: { type: 'string', value: 'name', summary: 'The other login name. Empty: remove it.' },
    name: { type: 'string', value: 'name', summary: 'The full name (claim `name`).' },
    claim: {
      type: 'string',
      value: 'name=value',
      multiple: true,
      summary: 'A claim: JSON or text. `null` removes it.',
    },
    state: { type: 'string', value: 'active|disabled|locked', summary: 'The state.' },
    'if-version': { type: 'string', value: 'version', summary: 'Change only this version of the user.' },
    ...adminOptions,
  },
  operands: '<user>',
  examples: [
    'carnet users update demo@example.com --name "Dana Moreno"',
    'carnet users update demo@example.com --claim department=Sales --claim \'groups=["sales"]\'',
  ],
  run: async (values, surface, operands) => {
    const name = onlyOperand(operands, operand);
    const json = changeOf(values);
    if (Object.keys(json).length === 0)
      throw new UsageError('Name at least one member to change: carnet help users update.');
    const version = text(values, 'if-version');
    const api = connectAdmin(values, surface);
    const subject = await subjectOf(api, name);
    const headers = version === undefined ? undefined : { 'if-match': `"${version}"` };
    const { body } = await api.call('PATCH', pathOf(subject), { json, headers });
    await showServedUser(values, surface, body as ServedUser);
  },
};

/** A command that does the same with each user that it names. */
const forEachServed = (command: Pick<Command, 'name' | 'summary' | 'examples'>, change: ServedChange): Command => ({
  ...command,
  options: adminOptions,
  operands: '<user> [<user> ...]',
  run: async (values, surface, operands) => {
    await changeServedUsers(values, surface, someOperands(operands, operand), change);
  },
});

const usersUnlock = forEachServed(
  {
    name: 'users unlock',
    summary: 'Forget the failed attempts of users of a running server, and make locked users active.',
    examples: ['carnet users unlock demo@example.com'],
  },
  toUser('POST', '/unlock'),
);

const usersResetFactors = forEachServed(
  {
    name: 'users reset-factors',
    summary: 'Remove all second factors of users who have lost them, by the admin API of a running server.',
    examples: ['carnet users reset-factors demo@example.com'],
  },
  (api, subject) => api.call('POST', '/accounts/factors/reset', { json: { subject } }),
);

interface Session {
  readonly sid: string;
  readonly authenticated_at: string;
  readonly expires_at?: string;
  readonly place: { readonly address?: string; readonly user_agent?: string };
  readonly clients: readonly { readonly client_id: string }[];
}

const usersSessions: Command = {
  name: 'users sessions',
  summary: 'List the sessions of a user of a running server: the browsers in which the user is signed in.',
  options: {
    end: { type: 'boolean', summary: 'End them, and revoke all grants and tokens of the user.' },
    ...adminOptions,
  },
  operands: '<user>',
  examples: ['carnet users sessions demo@example.com', 'carnet users sessions demo@example.com --end'],
  run: async (values, surface, operands) => {
    const name = onlyOperand(operands, operand);
    if (values.end === true) {
      await changeServedUsers(values, surface, [name], toUser('DELETE', '/sessions'));
      return;
    }
    const api = connectAdmin(values, surface);
    const subject = await subjectOf(api, name);
    const query = { subject, page_size: '500' };
    const { body } = await api.call('GET', '/oauth2/auth/sessions/login', { query });
    const sessions = body as readonly Session[];
    await show(values, surface, {
      body: { items: sessions },
      headers: ['SESSION', 'SIGNED IN', 'EXPIRES', 'ADDRESS', 'CLIENTS'],
      rows: sessions.map((session) => [
        session.sid,
        session.authenticated_at,
        session.expires_at ?? '',
        session.place.address ?? '',
        session.clients.map(({ client_id: id }) => id).join(', '),
      ]),
      ids: sessions.map(({ sid }) => sid),
      isList: true,
    });
  },
};

const usersInvite = forEachServed(
  {
    name: 'users invite',
    summary:
      'Send users without a password an email, by the admin API of a running server: they choose the password with its link. Earlier links become void.',
    examples: ['carnet users invite demo@example.com'],
  },
  toUser('POST', '/invite'),
);

/** Creates a user at a running server, which sends the invitation. */
export const createInvitedUser = async (values: Values, surface: Surface): Promise<void> => {
  const api = connectAdmin(values, surface);
  const { body } = await api.call('POST', '/users', { json: { ...changeOf(values), invite: true } });
  await showServedUser(values, surface, body as ServedUser);
};

/** The commands that change the users of a running server. */
export const servedUserCommands = [usersUpdate, usersInvite, usersUnlock, usersResetFactors, usersSessions] as const;
