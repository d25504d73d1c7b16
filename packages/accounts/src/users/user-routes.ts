import { z } from 'zod';
import type { ManagedUser, UserOperations } from '../api/users.ts';
import { managedUser, userMembers, userOperations } from '../wire/users.ts';
import { wireSchema } from '../wire/wire-names.ts';
import { createCredentialRoutes } from './credential-routes.ts';
import {
  answerDone,
  answerPage,
  type ManagementAnswer,
  type ManagementRequest,
  type ManagementRoute,
  onlyVersion,
  type Parse,
  pageQuery,
  pageQueryOf,
  versionIn,
} from './route.ts';

const path = '/admin/users';
const onePath = `${path}/:subject`;

const { text, claims, state, loginName, password, externalId } = userMembers;

const answer = wireSchema(managedUser).meta({ id: 'User' });

const listQuery = z.object({
  search: text(320).optional(),
  login: loginName.optional(),
  state: state.optional(),
  external_id: externalId.optional(),
  ...pageQuery,
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
  external_id: externalId.optional(),
});

const change = z.strictObject({
  ...login,
  email: login.email.nullable().optional().describe('`null` removes the login name.'),
  username: login.username.nullable().optional().describe('`null` removes the login name.'),
  claims: claims.optional().describe('Only these claims are changed. `null` removes one.'),
  state: state.optional().describe('`disabled` and `locked` also end the sessions, and revoke all grants and tokens.'),
  external_id: externalId.nullable().optional().describe('`null` removes it.'),
});

const subjectIn = ({ params: { subject = '' } }: ManagementRequest) => ({ subject });

/** Written out: `toWire` takes a millisecond for a page of 50 users. Members that are undefined are not sent. */
const bodyOf = ({ externalId, hasPassword, createdAt, updatedAt, deleteAt, ...user }: ManagedUser): object => ({
  ...user,
  logins: [...user.logins],
  external_id: externalId,
  has_password: hasPassword,
  created_at: createdAt?.toISOString(),
  updated_at: updatedAt?.toISOString(),
  delete_at: deleteAt?.toISOString(),
});

const answerOne = (user: ManagedUser, status = 200): ManagementAnswer => ({
  status,
  ...(user.version !== undefined && { headers: { ETag: `"${user.version}"` } }),
  body: bodyOf(user),
});

const collectionRoutes = (users: UserOperations, parse: Parse): readonly ManagementRoute[] => [
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
      external_id: 'The whole id that a provisioning client has given to the user.',
      ...pageQueryOf('users'),
    },
    answers: { 200: z.array(answer) },
    handle: (request) =>
      answerPage(request, { path, schema: listQuery, parse }, async ({ external_id, ...filters }, page) => {
        const { users: found, next } = await users.list({ ...filters, ...page, externalId: external_id });
        return { body: found.map(bodyOf), next };
      }),
  },
  {
    method: 'POST',
    path,
    operationId: 'createUser',
    summary: userOperations.create.summary,
    body: { schema: creation },
    answers: { 201: answer },
    async handle(request) {
      const { email_verified, password_hash, external_id, ...members } = parse(creation, await request.json());
      const named = { emailVerified: email_verified, passwordHash: password_hash, externalId: external_id };
      const user = await users.create({ ...members, ...named });
      return answerOne(user, 201);
    },
  },
];

/** The operations that answer with the user: `POST /admin/users/{subject}/disable` and others. */
const postRoutes = (users: UserOperations): readonly ManagementRoute[] =>
  (['disable', 'unlock', 'invite'] as const).map((name) => ({
    method: 'POST',
    path: `${onePath}/${name}`,
    operationId: `${name}User`,
    summary: userOperations[name].summary,
    answers: { 200: answer },
    handle: async (request) => answerOne(await users[name](subjectIn(request))),
  }));

const oneUserRoutes = (users: UserOperations, parse: Parse): readonly ManagementRoute[] => [
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
    summary: `${userOperations.update.summary} ${onlyVersion}`,
    body: { schema: change },
    answers: { 200: answer },
    async handle(request) {
      const { email_verified, external_id, ...members } = parse(change, await request.json());
      const where = { ...subjectIn(request), ...versionIn(request) };
      const named = { emailVerified: email_verified, externalId: external_id };
      return answerOne(await users.update({ ...members, ...where, ...named }));
    },
  },
  {
    method: 'DELETE',
    path: onePath,
    operationId: 'deleteUser',
    summary: `${userOperations.delete.summary} ${onlyVersion}`,
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
export const createUserRoutes = (users: UserOperations, parse: Parse): readonly ManagementRoute[] => [
  ...collectionRoutes(users, parse),
  ...oneUserRoutes(users, parse),
  ...postRoutes(users),
  ...createCredentialRoutes(users, parse),
];
