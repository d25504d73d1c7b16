import type { ManagedUser, UserCreation, UserListQuery, UserOperations } from '@carnet/accounts';
import { parseFilter } from '../protocol/filter.ts';
import { applyPatch, parsePatch } from '../protocol/patch.ts';
import { badRequest, notFound } from '../protocol/scim-error.ts';
import { createSearch } from '../protocol/search.ts';
import type { Attributes } from '../schema/attribute.ts';
import { normaliseResource } from '../schema/normalise.ts';
import { groupType, userType } from '../schema/resource-types.ts';
import { type Resources, resourceOf, untilUnchanged } from './resource.ts';
import { attributesOf, claimsOf, loginsOf } from './user-attributes.ts';

export interface UserResourcesOptions {
  readonly users: Pick<UserOperations, 'list' | 'get' | 'create' | 'update' | 'delete'>;
  readonly baseUrl: string;
  /** Whether addresses of the client are known to belong to their users. */
  readonly emailsVerified: boolean;
}

/** Users of other directories have no version: they are not in SCIM. */
const isLocal = ({ version }: ManagedUser): boolean => version !== undefined;

const createRender =
  (baseUrl: string) =>
  (user: ManagedUser): Attributes => {
    const { subject: id, externalId, version, createdAt, updatedAt, state, groups = [] } = user;
    const memberships = groups.map((group) => ({
      value: group.id,
      $ref: `${baseUrl}${groupType.endpoint}/${group.id}`,
      display: group.name,
    }));
    const attributes = {
      ...attributesOf(user.claims, user.logins),
      // A locked user is one of the directory: an administrator of Carnet has locked the sign-in.
      active: state !== 'disabled',
      ...(memberships.length > 0 && { groups: memberships }),
    };
    return resourceOf(userType, baseUrl, { id, externalId, version, createdAt, updatedAt, attributes });
  };

const createUserSearch = ({ users }: UserResourcesOptions, render: ReturnType<typeof createRender>) => {
  const list = async (query: UserListQuery) => (await users.list(query)).users.filter(isLocal);
  const byLogin = (login: string) => (login === '' || login.length > 320 ? Promise.resolve([]) : list({ login }));
  const bySearch = async (search: string, limit: number) => {
    const found: ManagedUser[] = [];
    let after: string | undefined;
    do {
      const page = await users.list({ search, limit: 500, after });
      found.push(...page.users);
      after = page.next;
    } while (after !== undefined && found.length < limit);
    return found;
  };
  const text =
    (find: (value: string, limit: number) => Promise<readonly ManagedUser[]>) => async (value: string, limit: number) =>
      value === '' || value.length > 200 ? [] : find(value, limit);
  const prefix = text(bySearch);
  return createSearch<ManagedUser>({
    resourceType: userType,
    idOf: ({ subject }) => subject,
    render: async (user) => render(user),
    indexes: {
      'eq id': text(async (subject) => {
        try {
          return [await users.get({ subject })].filter(isLocal);
        } catch (error) {
          if (error instanceof Error && 'code' in error && error.code === 'not_found') return [];
          throw error;
        }
      }),
      'eq userName': byLogin,
      'eq emails.value': byLogin,
      'eq externalId': text((externalId) => list({ externalId, limit: 500 })),
      'sw userName': prefix,
      'sw emails.value': prefix,
      'sw displayName': prefix,
      'sw name.formatted': prefix,
      'sw name.familyName': prefix,
    },
  });
};

/** The members of a change that follow from the attributes. Login names only if they differ, so that an address that a user has proved stays so. */
const changeOf = (resource: Attributes, current: ManagedUser, emailsVerified: boolean) => {
  const { email, username } = loginsOf(resource);
  const isNew = (login: string | null) => login === null || !current.logins.includes(login.toLowerCase());
  const { email: currentEmail, preferred_username: name } = current.claims;
  return {
    claims: claimsOf(resource),
    externalId: typeof resource.externalId === 'string' ? resource.externalId : null,
    ...((email === null ? currentEmail !== undefined : email !== currentEmail || isNew(email)) && {
      email,
      emailVerified: emailsVerified,
    }),
    ...((username === null ? name !== undefined : username !== name || isNew(username)) && { username }),
    // Each `active: false` ends all access again: a client repeats a request that has failed half-way.
    ...(resource.active === false && { state: 'disabled' as const }),
    ...(resource.active === true && current.state === 'disabled' && { state: 'active' as const }),
  };
};

const assertWritable = (resource: Attributes): void => {
  if (typeof resource.userName !== 'string' || resource.userName.trim() === '')
    throw badRequest('invalidValue', 'The attribute userName is required.');
};

const noPassword = (resource: Attributes): void => {
  if (resource.password !== undefined)
    throw badRequest('mutability', 'A password is set when the user is created. Afterwards, the user changes it.');
};

/** @throws ScimError */
const creationOf = (body: unknown, emailsVerified: boolean): UserCreation => {
  const resource = normaliseResource(userType, body);
  assertWritable(resource);
  const { email, username } = loginsOf(resource);
  const claims = Object.entries(claimsOf(resource)).filter(([, value]) => value !== null);
  return {
    ...(email !== null && { email, emailVerified: emailsVerified }),
    ...(username !== null && { username }),
    ...(typeof resource.password === 'string' && { password: resource.password }),
    ...(typeof resource.externalId === 'string' && { externalId: resource.externalId }),
    claims: Object.fromEntries(claims),
    state: resource.active === false ? 'disabled' : 'active',
  };
};

/** Users, by the management of users: each change is an audit record of it. */
export const createUserResources = (options: UserResourcesOptions): Resources => {
  const { users, baseUrl, emailsVerified } = options;
  const render = createRender(baseUrl);
  const search = createUserSearch(options, render);
  const read = async (subject: string): Promise<ManagedUser> => {
    const user = await users.get({ subject });
    if (!isLocal(user)) throw notFound();
    return user;
  };
  const change = (id: string, ifVersion: string | undefined, changed: (current: ManagedUser) => Attributes) =>
    untilUnchanged(async () => {
      const current = await read(id);
      const resource = changed(current);
      assertWritable(resource);
      const version = ifVersion ?? current.version;
      const members = changeOf(resource, current, emailsVerified);
      return render(await users.update({ subject: id, ifVersion: version, ...members }));
    }, ifVersion);

  return {
    resourceType: userType,
    isLarge: false,
    get: async (id) => render(await read(id)),
    create: async (body) => render(await users.create(creationOf(body, emailsVerified))),
    async replace(id, body, { ifVersion }) {
      const resource = normaliseResource(userType, body);
      noPassword(resource);
      return change(id, ifVersion, () => resource);
    },
    async patch(id, body, { ifVersion }) {
      const operations = parsePatch(body, userType);
      return change(id, ifVersion, (current) => {
        const resource = applyPatch(render(current), operations);
        noPassword(resource);
        return resource;
      });
    },
    remove: async (id, ifVersion) => {
      await read(id);
      await users.delete({ subject: id, ifVersion });
    },
    async list({ filter, offset, limit }) {
      if (filter !== undefined) {
        const found = await search(parseFilter(filter));
        return { resources: found.slice(offset, offset + limit).map(render), total: found.length };
      }
      // One user more than none, for the total.
      const page = await users.list({ offset, limit: Math.max(limit, 1), withTotal: true });
      return { resources: page.users.slice(0, limit).map(render), total: page.total ?? 0 };
    },
  };
};
