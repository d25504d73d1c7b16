import { type AdminApi, adminOptions, connectAdmin, pageTokenIn } from '../admin-api.ts';
import { type Command, onlyOperand, text, UsageError } from '../command.ts';
import { type Shown, show, shownIds } from '../output.ts';
import { subjectOf } from './server-commands.ts';

interface ServedGroup {
  readonly id: string;
  readonly name: string;
  readonly external_id?: string;
  readonly updated_at: string;
}

const operand = 'name or id of a group';

const pathOf = (id: string): string => `/groups/${encodeURIComponent(id)}`;

/** The id of the group with this name at a running server. A name without a group is an id already. */
const idOf = async (api: AdminApi, name: string): Promise<string> => {
  const { body } = await api.call('GET', '/groups', { query: { name } });
  const [group] = body as readonly ServedGroup[];
  return group?.id ?? name;
};

const shownGroups = (groups: readonly ServedGroup[], isList: boolean): Shown => ({
  body: isList ? { items: groups } : groups[0],
  headers: ['ID', 'NAME', 'EXTERNAL ID', 'UPDATED'],
  rows: groups.map((group) => [group.id, group.name, group.external_id ?? '', group.updated_at]),
  ids: groups.map(({ id }) => id),
  isList,
});

const groupsList: Command = {
  name: 'groups list',
  summary: 'List the groups of a running server: all, those of a user, or those whose name has this beginning.',
  options: {
    search: { type: 'string', value: 'text', summary: 'The beginning of the name.' },
    member: { type: 'string', value: 'user', summary: 'The login or subject of a member.' },
    ...adminOptions,
  },
  examples: ['carnet groups list', 'carnet groups list --member demo@example.com --format json'],
  run: async (values, surface) => {
    const api = connectAdmin(values, surface);
    const [search, member] = [text(values, 'search'), text(values, 'member')];
    const filters = {
      ...(search !== undefined && { search }),
      ...(member !== undefined && { member: await subjectOf(api, member) }),
    };
    const groups: ServedGroup[] = [];
    let token = '';
    do {
      const query = { ...filters, page_size: '500', page_token: token || undefined };
      const { body, headers } = await api.call('GET', '/groups', { query });
      groups.push(...(body as readonly ServedGroup[]));
      token = pageTokenIn(headers.get('link'));
    } while (token !== '');
    await show(values, surface, shownGroups(groups, true));
  },
};

const groupsCreate: Command = {
  name: 'groups create',
  summary: 'Create a group in the accounts database of a running server.',
  options: adminOptions,
  operands: '<name>',
  examples: ['carnet groups create Sales'],
  run: async (values, surface, operands) => {
    const name = onlyOperand(operands, 'name of a group');
    const { body } = await connectAdmin(values, surface).call('POST', '/groups', { json: { name } });
    await show(values, surface, shownGroups([body as ServedGroup], false));
  },
};

const groupsDelete: Command = {
  name: 'groups delete',
  summary: 'Delete a group of a running server. Its members stay.',
  options: adminOptions,
  operands: '<group>',
  examples: ['carnet groups delete Sales'],
  run: async (values, surface, operands) => {
    const name = onlyOperand(operands, operand);
    const api = connectAdmin(values, surface);
    const id = await idOf(api, name);
    await api.call('DELETE', pathOf(id));
    await show(values, surface, shownIds([id]));
  },
};

/** A command that changes the members of a group: all users that it names, or none. */
const memberCommand = (
  command: Pick<Command, 'name' | 'summary' | 'examples'>,
  list: 'add_members' | 'remove_members',
): Command => ({
  ...command,
  options: adminOptions,
  operands: '<group> <user> [<user> ...]',
  run: async (values, surface, operands) => {
    const [group, ...users] = operands;
    if (group === undefined || users.length === 0)
      throw new UsageError(`Name a group and at least one user: carnet help ${command.name}.`);
    const api = connectAdmin(values, surface);
    const id = await idOf(api, group);
    const subjects: string[] = [];
    for (const user of users) subjects.push(await subjectOf(api, user));
    await api.call('PATCH', pathOf(id), { json: { [list]: subjects } });
    await show(values, surface, shownIds(subjects));
  },
});

const groupsAdd = memberCommand(
  {
    name: 'groups add',
    summary: 'Add users to a group of a running server.',
    examples: ['carnet groups add Sales demo@example.com'],
  },
  'add_members',
);

const groupsRemove = memberCommand(
  {
    name: 'groups remove',
    summary: 'Remove users from a group of a running server.',
    examples: ['carnet groups remove Sales demo@example.com'],
  },
  'remove_members',
);

/** The commands that manage the groups of a running server. */
export const groupCommands = [groupsList, groupsCreate, groupsAdd, groupsRemove, groupsDelete] as const;
