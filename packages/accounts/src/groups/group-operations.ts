import { AccountsError } from '../accounts-error.ts';
import type { GroupChange, GroupOperations, ManagedGroup } from '../api/groups.ts';
import type { AccountsEvent } from '../dependencies.ts';
import type { Group, GroupRefusal, GroupStore } from '../store/index.ts';
import type { LocalSubjects } from '../users/local-subjects.ts';
import { createRecorded } from '../users/recorded.ts';
import { changedMeanwhile, noLocalUsers } from '../users/refusals.ts';
import { shownUser } from '../users/shown-user.ts';
import { versionOf } from '../users/version.ts';

/** The groups of the accounts database, and the subjects of its users. */
export interface LocalGroups {
  readonly groups: GroupStore;
  readonly subjects: LocalSubjects;
}

export interface GroupDependencies {
  /** Undefined without a directory of the kind `sql`. */
  readonly local: LocalGroups | undefined;
  readonly emit: (event: AccountsEvent) => Promise<void>;
}

const defaultLimit = 100;

const shown = ({ id, name, externalId, createdAt, updatedAt }: Group): ManagedGroup => ({
  ...{ id, name, externalId },
  createdAt: new Date(createdAt),
  updatedAt: new Date(updatedAt),
  version: String(updatedAt),
});

const noSuchGroup = (): AccountsError => new AccountsError('not_found', 'There is no group with this id.');

const noMember = (field: string): AccountsError =>
  new AccountsError(
    'invalid_input',
    `Field '${field}': each member must be the subject of a user in the accounts database.`,
    {
      field,
    },
  );

const errorOf = (refusal: GroupRefusal, field: string): AccountsError => {
  switch (refusal.reason) {
    case 'not_found':
      return noSuchGroup();
    case 'changed':
      return changedMeanwhile();
    case 'taken':
      return new AccountsError('conflict', "Field 'name': another group has this name.", { field: 'name' });
    case 'unknown_member':
      return noMember(field);
  }
};

/** @throws AccountsError `invalid_input` for the subject of a user of another directory */
const idsOf = ({ subjects }: LocalGroups, members: readonly string[], field: string): readonly string[] =>
  [...new Set(members)].map((subject) => {
    const id = subjects.idOf(subject);
    if (id === undefined) throw noMember(field);
    return id;
  });

type Opened = () => LocalGroups;

const createReads = (opened: Opened) => {
  const get: GroupOperations['get'] = async ({ id }) => {
    const group = await opened().groups.show(id);
    if (group === undefined) throw noSuchGroup();
    return shown(group);
  };
  return {
    get,
    async list({ limit = defaultLimit, member, ...query } = {}) {
      const local = opened();
      const filters = Object.entries(query).filter(([, value]) => value !== undefined);
      const ofMember = member === undefined ? {} : { member: idsOf(local, [member], 'member')[0] };
      const { groups, next, total } = await local.groups.list({ ...Object.fromEntries(filters), ...ofMember, limit });
      return { groups: groups.map(shown), ...(next !== undefined && { next }), total };
    },
    async members({ id, limit = defaultLimit, after }) {
      const local = opened();
      await get({ id });
      const [afterId] = after === undefined ? [] : idsOf(local, [after], 'after');
      const found = await local.groups.members({ id, after: afterId, limit: limit + 1 });
      const members = found
        .slice(0, limit)
        .map((user) => shownUser({ subject: local.subjects.subjectOf(user.id), claims: user.claims }));
      const next = found.length > limit ? members.at(-1)?.subject : undefined;
      return { members, ...(next !== undefined && { next }) };
    },
  } satisfies Partial<GroupOperations>;
};

const createChanges = (opened: Opened, get: GroupOperations['get'], emit: GroupDependencies['emit']) => {
  const emitMembers = async (action: 'add' | 'remove', group: string, ids: readonly string[]): Promise<void> => {
    for (const id of ids) await emit({ type: 'group', action, group, subject: opened().subjects.subjectOf(id) });
  };
  return {
    async create({ members = [], ...group }) {
      const local = opened();
      const ids = idsOf(local, members, 'members');
      const creation = await local.groups.create({ ...group, members: ids });
      if (!creation.updated) throw errorOf(creation, 'members');
      await emitMembers('add', creation.group.id, ids);
      return shown(creation.group);
    },
    async update({ ifVersion, members, addMembers = [], removeMembers = [], ...change }: GroupChange) {
      const local = opened();
      const result = await local.groups.update({
        ...change,
        version: versionOf(ifVersion),
        members: members && idsOf(local, members, 'members'),
        add: idsOf(local, addMembers, 'addMembers'),
        // A user of another directory is no member.
        remove: removeMembers.flatMap((subject) => local.subjects.idOf(subject) ?? []),
      });
      if (!result.updated) throw errorOf(result, members === undefined ? 'addMembers' : 'members');
      await emitMembers('add', change.id, result.added);
      await emitMembers('remove', change.id, result.removed);
      return get(change);
    },
    async delete({ id, ifVersion }) {
      const result = await opened().groups.remove(id, versionOf(ifVersion));
      if (!result.updated) throw errorOf(result, 'id');
    },
  } satisfies Partial<GroupOperations>;
};

/** The management of groups. Each change, and each refusal of one, is an event. */
export const createGroupOperations = ({ local, emit }: GroupDependencies): GroupOperations => {
  const opened = (): LocalGroups => {
    if (local === undefined) throw noLocalUsers('The management of groups');
    return local;
  };
  const reads = createReads(opened);
  const changes = createChanges(opened, reads.get, emit);
  const recorded = createRecorded(emit);
  return {
    ...reads,
    create: recorded(changes.create, (_input, group) => ({ type: 'group', action: 'create', group: group?.id })),
    update: recorded(changes.update, ({ id }) => ({ type: 'group', action: 'update', group: id })),
    delete: recorded(changes.delete, ({ id }) => ({ type: 'group', action: 'delete', group: id })),
  };
};
