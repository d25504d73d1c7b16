import type { GroupListQuery, GroupOperations, ManagedGroup } from '@carnet/accounts';
import { type Filter, matches, parseFilter, resolveBelow } from '../protocol/filter.ts';
import { type PatchOperation, parsePatch } from '../protocol/patch.ts';
import { badRequest } from '../protocol/scim-error.ts';
import { createSearch } from '../protocol/search.ts';
import type { Attributes } from '../schema/attribute.ts';
import { isObject, normaliseResource } from '../schema/normalise.ts';
import { groupType, userType } from '../schema/resource-types.ts';
import { type Resources, resourceOf, type Wants } from './resource.ts';

export interface GroupResourcesOptions {
  readonly groups: GroupOperations;
  readonly baseUrl: string;
}

const createRender = ({ groups, baseUrl }: GroupResourcesOptions) => {
  const membersOf = async (id: string) => {
    const members: object[] = [];
    let after: string | undefined;
    do {
      const page = await groups.members({ id, limit: 500, after });
      members.push(
        ...page.members.map(({ subject }) => ({
          value: subject,
          $ref: `${baseUrl}${userType.endpoint}/${encodeURIComponent(subject)}`,
        })),
      );
      after = page.next;
    } while (after !== undefined);
    return members;
  };
  return async (group: ManagedGroup, wants: Wants): Promise<Attributes> => {
    const members = wants('members') ? await membersOf(group.id) : [];
    const attributes = { displayName: group.name, ...(members.length > 0 && { members }) };
    return resourceOf(groupType, baseUrl, { ...group, externalId: group.externalId, attributes });
  };
};

const createGroupSearch = ({ groups }: GroupResourcesOptions, render: ReturnType<typeof createRender>) => {
  const find = (queryOf: (value: string) => GroupListQuery) => async (value: string, most: number) => {
    if (value === '' || value.length > 200) return [];
    const found: ManagedGroup[] = [];
    let after: string | undefined;
    do {
      const page = await groups.list({ ...queryOf(value), limit: 500, after });
      found.push(...page.groups);
      after = page.next;
    } while (after !== undefined && found.length < most);
    return found;
  };
  const none = (error: unknown): readonly ManagedGroup[] => {
    // A member that is no user of the accounts database is in no group.
    if (error instanceof Error && 'code' in error && /^(?:not_found|invalid_request)$/.test(String(error.code)))
      return [];
    throw error;
  };
  return createSearch<ManagedGroup>({
    resourceType: groupType,
    idOf: ({ id }) => id,
    render,
    indexes: {
      'eq id': async (id) => (id === '' ? [] : groups.get({ id }).then((group) => [group], none)),
      'eq displayName': find((name) => ({ name })),
      'sw displayName': find((search) => ({ search })),
      'eq externalId': find((externalId) => ({ externalId })),
      'eq members.value': (value, most) => find((member) => ({ member }))(value, most).catch(none),
    },
  });
};

/** A change of a group, collected from the operations of a PATCH in their order. */
interface Collected {
  name?: string;
  externalId?: string | null;
  /** All members, if an operation has replaced them. */
  members?: Set<string>;
  readonly add: Set<string>;
  readonly remove: Set<string>;
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string' && value !== '') return value;
  throw badRequest('invalidValue', 'The attribute displayName is required.');
};

const idsOf = (members: unknown): readonly string[] =>
  (Array.isArray(members) ? members : []).map((member) => {
    if (isObject(member) && typeof member.value === 'string') return member.value;
    throw badRequest('invalidValue', 'Each member needs a value, the id of a user.');
  });

/** The id in `members[value eq "x"]`. */
const selectedId = (filter: Filter): string | undefined =>
  filter.op === 'eq' && /^value$/i.test(filter.attrPath) ? String(filter.compValue) : undefined;

const collectMembers = (collected: Collected, { op, attribute, selection, value }: PatchOperation): void => {
  const given = idsOf(selection === undefined ? value : undefined);
  const { add, remove, members } = collected;
  const put = (id: string) => {
    remove.delete(id);
    (members ?? add).add(id);
  };
  const take = (id: string) => {
    add.delete(id);
    members?.delete(id);
    if (members === undefined) remove.add(id);
  };
  if (selection !== undefined) {
    const id = selectedId(selection.filter);
    if (op !== 'remove' || selection.sub !== undefined || id === undefined)
      throw badRequest('invalidPath', 'Members are selected by members[value eq "id"], and removed.');
    matches(selection.filter, {}, resolveBelow(attribute));
    take(id);
  } else if (op === 'add') given.forEach(put);
  // Entra sends the members to remove as the value: they, and no others, are removed.
  else if (op === 'remove' && given.length > 0) given.forEach(take);
  else {
    add.clear();
    remove.clear();
    collected.members = new Set(given);
  }
};

/** The members of the group are not read: a change of one member costs the same in a large group. */
const collect = (operations: readonly PatchOperation[]): Collected => {
  const collected: Collected = { add: new Set(), remove: new Set() };
  for (const operation of operations) {
    const [name] = operation.names;
    if (name === 'members') collectMembers(collected, operation);
    else if (name === 'displayName') collected.name = textOf(operation.op === 'remove' ? undefined : operation.value);
    else collected.externalId = operation.op === 'remove' ? null : textOf(operation.value);
  }
  return collected;
};

/** Groups, by the management of groups: each change is an audit record of it. */
export const createGroupResources = (options: GroupResourcesOptions): Resources => {
  const { groups } = options;
  const render = createRender(options);
  const search = createGroupSearch(options, render);
  const renderAll = async (found: readonly ManagedGroup[], wants: Wants): Promise<readonly Attributes[]> => {
    const resources: Attributes[] = [];
    for (const group of found) resources.push(await render(group, wants));
    return resources;
  };
  const membersOf = (resource: Attributes) => ({
    name: textOf(resource.displayName),
    members: idsOf(resource.members),
  });
  return {
    resourceType: groupType,
    isLarge: true,
    get: async (id, wants) => render(await groups.get({ id }), wants),
    async create(body, wants) {
      const resource = normaliseResource(groupType, body);
      const { externalId } = resource;
      const more = typeof externalId === 'string' ? { externalId } : {};
      return render(await groups.create({ ...membersOf(resource), ...more }), wants);
    },
    async replace(id, body, { ifVersion, wants }) {
      const resource = normaliseResource(groupType, body);
      const externalId = typeof resource.externalId === 'string' ? resource.externalId : null;
      return render(await groups.update({ id, ifVersion, ...membersOf(resource), externalId }), wants);
    },
    async patch(id, body, { ifVersion, wants }) {
      const { members, add, remove, ...change } = collect(parsePatch(body, groupType));
      const lists = {
        ...(members !== undefined && { members: [...members] }),
        ...(add.size > 0 && { addMembers: [...add] }),
        ...(remove.size > 0 && { removeMembers: [...remove] }),
      };
      return render(await groups.update({ id, ifVersion, ...change, ...lists }), wants);
    },
    remove: (id, ifVersion) => groups.delete({ id, ifVersion }),
    async list({ filter, offset, limit }, wants) {
      if (filter !== undefined) {
        const found = await search(parseFilter(filter));
        return { resources: await renderAll(found.slice(offset, offset + limit), wants), total: found.length };
      }
      // One group more than none, for the total.
      const page = await groups.list({ offset, limit: Math.max(limit, 1), withTotal: true });
      return { resources: await renderAll(page.groups.slice(0, limit), wants), total: page.total ?? 0 };
    },
  };
};
