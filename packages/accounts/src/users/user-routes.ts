import { z } from 'zod';
import type { ManagedUser, UserListQuery, UserOperations } from '../api/users.ts';
import { managedUser, userMembers, userOperations } from '../wire/users.ts';
import { wireSchema } from '../wire/wire-names.ts';

/** A request of the admin API, as the provider hands it over. */
export interface UserRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  json(): Promise<unknown>;
}

interface UserAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A line of the route table of the admin API, with its description for OpenAPI. */
export interface UserRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: { readonly schema: z.ZodType };
  readonly answers: Readonly<Record<number, z.ZodType | null>>;
  handle(request: UserRequest): Promise<UserAnswer>;
}

/** Checks what a caller has sent. @throws the error that names the member */
export type Parse = <T>(schema: z.ZodType<T>, value: unknown) => T;

const path = '/admin/users';
const onePath = `${path}/:subject`;

const { text, claims, state, loginName, password } = userMembers;

const answer = wireSchema(managedUser).meta({ id: 'User' });

const listQuery = z.object({
  search: text(320).optional(),
  login: loginName.optional(),
  state: state.optional(),
  page_size: z
    .string()
    .regex(/^(?:[1-9]\d?|[1-4]\d\d|500)$/, 'must be a whole number from 1 to 500')
    .optional(),
  page_token: z.string().max(2048).optional(),
});

const login = { email: loginName, email_verified: z.boolean().optional(), username: loginName };

const creation = z.strictObject({
  ...login,
  email: login.email.optional(),
  username: login.username.optional(),
  password: password
    .optional()
    .describe('Without a password, the user sets one with an invitation or a recovery link.'),
  password_hash: text(1024).optional().describe('A hash instead of a password. The password rules do not apply to it.'),
  invite: z
    .boolean()
    .optional()
    .describe('Whether the user gets an email with a link, to choose the password. Needs `email`.'),
  claims: claims.optional(),
  state: state.optional(),
});

const change = z.strictObject({
  ...login,
  email: login.email.nullable().optional().describe('`null` removes the login name.'),
  username: login.username.nullable().optional().describe('`null` removes the login name.'),
  claims: claims.optional().describe('Only these claims are changed. `null` removes one.'),
  state: state.optional().describe('`disabled` and `locked` also end the sessions, and revoke all grants and tokens.'),
});

/** The parameters of a query. One that is given twice is no text, and refused. */
const parametersIn = (query: URLSearchParams) =>
  Object.fromEntries(
    Object.keys(listQuery.shape).map((name) => {
      const values = query.getAll(name);
      return [name, values.length > 1 ? values : values[0] || undefined];
    }),
  );

/** `If-Match` (RFC 9110, section 13.1.1). A value that is not a strong entity tag matches no user. */
const versionIn = ({ headers }: UserRequest): { readonly ifVersion?: string } => {
  const header = headers['if-match'];
  if (header === undefined || header === '*') return {};
  return { ifVersion: /^"([^"]*)"$/.exec(String(header))?.[1] ?? 'none' };
};

const subjectIn = ({ params: { subject = '' } }: UserRequest) => ({ subject });

/** Written out: `toWire` takes a millisecond for a page of 50 users. Members that are undefined are not sent. */
const bodyOf = ({ hasPassword, createdAt, updatedAt, deleteAt, ...user }: ManagedUser): object => ({
  ...user,
  logins: [...user.logins],
  has_password: hasPassword,
  created_at: createdAt?.toISOString(),
  updated_at: updatedAt?.toISOString(),
  delete_at: deleteAt?.toISOString(),
});

const answerOne = (user: ManagedUser, status = 200): UserAnswer => ({
  status,
  ...(user.version !== undefined && { headers: { ETag: `"${user.version}"` } }),
  body: bodyOf(user),
});

const answerDone = async (change: Promise<void>): Promise<UserAnswer> => {
  await change;
  return { status: 204 };
};

const linkTo = ({ limit, search, state: only }: UserListQuery, next: string): string => {
  const query = { page_size: String(limit), page_token: next, search, state: only };
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `<${path}?${new URLSearchParams(given)}>; rel="next"`;
};

const collectionRoutes = (users: UserOperations, parse: Parse): readonly UserRoute[] => [
  {
    method: 'GET',
    path,
    operationId: 'listUsers',
    summary: userOperations.list.summary,
    query: {
      search:
        'The beginning of a login name, of the claim `name` or of `family_name`: of users in the accounts database.',
      login: 'The whole login name of a user in any directory.',
      state: 'Only users in this state: `active`, `disabled` or `locked`.',
      page_size: 'The maximum number of users on a page, 1 to 500. Default 100.',
      page_token: 'The value from the Link header of the previous page.',
    },
    answers: { 200: z.array(answer) },
    async handle({ query }) {
      const { page_size: size = '100', page_token: after, ...filters } = parse(listQuery, parametersIn(query));
      const asked = { ...filters, limit: Number(size), after };
      const { users: found, next } = await users.list(asked);
      return {
        status: 200,
        ...(next !== undefined && { headers: { Link: linkTo(asked, next) } }),
        body: found.map(bodyOf),
      };
    },
  },
  {
    method: 'POST',
    path,
    operationId: 'createUser',
    summary: userOperations.create.summary,
    body: { schema: creation },
    answers: { 201: answer },
    async handle(request) {
      const { email_verified, password_hash, ...members } = parse(creation, await request.json());
      const user = await users.create({ ...members, emailVerified: email_verified, passwordHash: password_hash });
      return answerOne(user, 201);
    },
  },
];

/** The operations that answer with the user: `POST /admin/users/{subject}/disable` and others. */
const postRoutes = (users: UserOperations): readonly UserRoute[] =>
  (['disable', 'unlock', 'invite'] as const).map((name) => ({
    method: 'POST',
    path: `${onePath}/${name}`,
    operationId: `${name}User`,
    summary: userOperations[name].summary,
    answers: { 200: answer },
    handle: async (request) => answerOne(await users[name](subjectIn(request))),
  }));

const oneUserRoutes = (users: UserOperations, parse: Parse): readonly UserRoute[] => [
  {
    method: 'GET',
    path: onePath,
    operationId: 'getUser',
    summary: userOperations.get.summary,
    answers: { 200: answer },
    handle: async (request) => answerOne(await users.get(subjectIn(request))),
  },
  {
    method: 'PATCH',
    path: onePath,
    operationId: 'updateUser',
    summary: `${userOperations.update.summary} With \`If-Match\`, only the version that the caller has read (412).`,
    body: { schema: change },
    answers: { 200: answer },
    async handle(request) {
      const { email_verified, ...members } = parse(change, await request.json());
      const where = { ...subjectIn(request), ...versionIn(request) };
      return answerOne(await users.update({ ...members, ...where, emailVerified: email_verified }));
    },
  },
  {
    method: 'DELETE',
    path: onePath,
    operationId: 'deleteUser',
    summary: `${userOperations.delete.summary} With \`If-Match\`, only the version that the caller has read (412).`,
    answers: { 204: null },
    handle: (request) => answerDone(users.delete({ ...subjectIn(request), ...versionIn(request) })),
  },
  {
    method: 'DELETE',
    path: `${onePath}/sessions`,
    operationId: 'endUserSessions',
    summary: userOperations.endSessions.summary,
    answers: { 204: null },
    handle: (request) => answerDone(users.endSessions(subjectIn(request))),
  },
];

/** The routes of the admin API for users. `users` and `parse` throw the errors that the caller gets. */
export const createUserRoutes = (users: UserOperations, parse: Parse): readonly UserRoute[] => [
  ...collectionRoutes(users, parse),
  ...oneUserRoutes(users, parse),
  ...postRoutes(users),
];
