import type { Api } from '@carnet/provider';
import type { CurrentUser } from '../console-server.ts';
import { bodyOf, type Call, dateIn, done, pageOf, pageParameters, segment } from './call.ts';

type Users = NonNullable<Api['users']>;
type User = Awaited<ReturnType<Users['get']>>;
type Groups = NonNullable<Api['groups']>;
type Group = Awaited<ReturnType<Groups['get']>>;

interface WireUser extends Omit<User, 'externalId' | 'hasPassword' | 'createdAt' | 'updatedAt' | 'deleteAt'> {
  readonly external_id?: string;
  readonly has_password?: boolean;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly delete_at?: string;
}

const userOf = ({ external_id, has_password, created_at, updated_at, delete_at, ...user }: WireUser): User => ({
  ...user,
  externalId: external_id,
  hasPassword: has_password,
  createdAt: dateIn(created_at),
  updatedAt: dateIn(updated_at),
  deleteAt: dateIn(delete_at),
});

const ifMatch = (version: string | undefined) =>
  version === undefined ? {} : { headers: { 'if-match': `"${version}"` } };

const userPath = (subject: string): string => `/users${segment(subject)}`;

type Credentials = Awaited<ReturnType<Users['credentials']>>;

interface WireCredentials {
  readonly factors: readonly (Omit<Credentials['factors'][number], 'createdAt' | 'lastUsedAt'> & WireTimes)[];
  readonly identities: readonly (Omit<Credentials['identities'][number], 'linkedAt'> & {
    readonly linked_at: string;
  })[];
}

interface WireTimes {
  readonly created_at: string;
  readonly last_used_at?: string;
}

const credentialsOf = (
  call: Call,
): Pick<Users, 'credentials' | 'resetFactors' | 'unlinkIdentity' | 'sendRecovery'> => ({
  async credentials({ subject }) {
    const found = await bodyOf<WireCredentials>(call({ method: 'GET', path: `${userPath(subject)}/credentials` }));
    return {
      factors: found.factors.map(({ created_at, last_used_at, ...factor }) => ({
        ...factor,
        createdAt: new Date(created_at),
        lastUsedAt: dateIn(last_used_at),
      })),
      identities: found.identities.map(({ linked_at, ...identity }) => ({
        ...identity,
        linkedAt: new Date(linked_at),
      })),
    };
  },
  resetFactors: ({ subject }) => bodyOf(call({ method: 'DELETE', path: `${userPath(subject)}/factors` })),
  unlinkIdentity: ({ subject, id }) =>
    done(call({ method: 'DELETE', path: `${userPath(subject)}/identities${segment(id)}` })),
  sendRecovery({ subject, linkBase }) {
    const json = { link_base: linkBase };
    return done(call({ method: 'POST', path: `${userPath(subject)}/recovery`, json }));
  },
});

export const usersOf = (call: Call): Users => {
  const at = (subject: string, rest = ''): string => `${userPath(subject)}${rest}`;
  const one = async (answer: Promise<Response>): Promise<User> => userOf(await bodyOf(answer));
  const post =
    (name: string) =>
    ({ subject }: { readonly subject: string }) =>
      one(call({ method: 'POST', path: at(subject, name) }));
  return {
    async list({ search, login, state, externalId, ...page } = {}) {
      const query = { search, login, state, external_id: externalId, ...pageParameters(page) };
      const { items: users, next } = await pageOf(call({ method: 'GET', path: '/users', query }), userOf);
      return { users, next };
    },
    get: ({ subject }) => one(call({ method: 'GET', path: at(subject) })),
    create({ emailVerified, passwordHash, externalId, ...user }) {
      const json = { ...user, email_verified: emailVerified, password_hash: passwordHash, external_id: externalId };
      return one(call({ method: 'POST', path: '/users', json }));
    },
    update({ subject, ifVersion, emailVerified, externalId, ...change }) {
      const json = { ...change, email_verified: emailVerified, external_id: externalId };
      return one(call({ method: 'PATCH', path: at(subject), json, ...ifMatch(ifVersion) }));
    },
    delete: ({ subject, ifVersion }) => done(call({ method: 'DELETE', path: at(subject), ...ifMatch(ifVersion) })),
    endSessions: ({ subject }) => done(call({ method: 'DELETE', path: at(subject, '/sessions') })),
    disable: post('/disable'),
    unlock: post('/unlock'),
    invite: post('/invite'),
    ...credentialsOf(call),
  };
};

interface WireGroup extends Pick<Group, 'id' | 'name' | 'version'> {
  readonly external_id?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const groupOf = ({ id, name, version, external_id, created_at, updated_at }: WireGroup): Group => ({
  ...{ id, name, version },
  ...(external_id !== undefined && { externalId: external_id }),
  createdAt: new Date(created_at),
  updatedAt: new Date(updated_at),
});

export const groupsOf = (call: Call): Groups => {
  const at = (id: string, rest = ''): string => `/groups${segment(id)}${rest}`;
  const one = async (answer: Promise<Response>): Promise<Group> => groupOf(await bodyOf(answer));
  return {
    async list({ search, name, externalId, member, ...page } = {}) {
      const query = { search, name, external_id: externalId, member, ...pageParameters(page) };
      const { items: groups, next } = await pageOf(call({ method: 'GET', path: '/groups', query }), groupOf);
      return { groups, next };
    },
    get: ({ id }) => one(call({ method: 'GET', path: at(id) })),
    async members({ id, ...page }) {
      type Member = Awaited<ReturnType<Groups['members']>>['members'][number];
      const answer = call({ method: 'GET', path: at(id, '/members'), query: pageParameters(page) });
      const { items: members, next } = await pageOf(answer, (member: Member) => member);
      return { members, next };
    },
    create: ({ externalId, ...group }) =>
      one(call({ method: 'POST', path: '/groups', json: { ...group, external_id: externalId } })),
    update({ id, ifVersion, externalId, addMembers, removeMembers, ...change }) {
      const lists = { add_members: addMembers, remove_members: removeMembers };
      const json = { ...change, external_id: externalId, ...lists };
      return one(call({ method: 'PATCH', path: at(id), json, ...ifMatch(ifVersion) }));
    },
    delete: ({ id, ifVersion }) => done(call({ method: 'DELETE', path: at(id), ...ifMatch(ifVersion) })),
  };
};

/** The user as the directories know it now: `account/show` of the accounts API. */
export const accountOf =
  (call: Call) =>
  async (subject: string): Promise<CurrentUser> => {
    type Shown = {
      readonly claims: CurrentUser['claims'];
      readonly directory?: string;
      readonly sessions_ended_at?: number;
      readonly password_version?: string;
    };
    const shown = await bodyOf<Shown>(call({ method: 'POST', path: '/accounts/account/show', json: { subject } }));
    const { claims, directory, sessions_ended_at: endedAt, password_version: passwordVersion } = shown;
    const sessionsEndedAt = endedAt === undefined ? undefined : new Date(endedAt);
    return { claims, directory, sessionsEndedAt, passwordVersion };
  };
