import { z } from 'zod';
import type { UserOperations } from '../api/users.ts';
import { userOperations } from '../wire/users.ts';
import { toWire, wireSchema } from '../wire/wire-names.ts';
import { answerDone, type ManagementRequest, type ManagementRoute, type Parse } from './route.ts';

const path = '/admin/users/:subject';

const recoveryMail = z.strictObject({ link_base: z.string().max(2048).optional() });

const subjectIn = ({ params: { subject = '' } }: ManagementRequest) => ({ subject });

/** The routes of the admin API for what users sign in with. `users` and `parse` throw the errors that the caller gets. */
export const createCredentialRoutes = (users: UserOperations, parse: Parse): readonly ManagementRoute[] => [
  {
    method: 'GET',
    path: `${path}/credentials`,
    operationId: 'listUserCredentials',
    summary: userOperations.credentials.summary,
    answers: { 200: wireSchema(userOperations.credentials.output).meta({ id: 'UserCredentials' }) },
    handle: async (request) => {
      const found = await users.credentials(subjectIn(request));
      return { status: 200, body: toWire(userOperations.credentials.output, found) as object };
    },
  },
  {
    method: 'DELETE',
    path: `${path}/factors`,
    operationId: 'resetUserFactors',
    summary: userOperations.resetFactors.summary,
    answers: { 200: userOperations.resetFactors.output },
    handle: async (request) => ({ status: 200, body: await users.resetFactors(subjectIn(request)) }),
  },
  {
    method: 'DELETE',
    path: `${path}/identities/:id`,
    operationId: 'unlinkUserIdentity',
    summary: userOperations.unlinkIdentity.summary,
    answers: { 204: null },
    handle: (request) => answerDone(users.unlinkIdentity({ ...subjectIn(request), id: request.params.id ?? '' })),
  },
  {
    method: 'POST',
    path: `${path}/recovery`,
    operationId: 'sendUserRecovery',
    summary: userOperations.sendRecovery.summary,
    body: { schema: recoveryMail },
    answers: { 204: null },
    async handle(request) {
      const { link_base: linkBase } = parse(recoveryMail, await request.json());
      return answerDone(users.sendRecovery({ ...subjectIn(request), linkBase }));
    },
  },
];
