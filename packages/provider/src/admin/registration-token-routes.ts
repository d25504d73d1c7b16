import { z } from 'zod';
import type { Api } from '../api.ts';
import { createRegistrationToken } from '../clients/registration-tokens.ts';
import type { Route } from '../http/types.ts';
import { createWireNames } from '../http/wire-names.ts';
import { answerDone } from './answers.ts';

const wire = createWireNames();

const answer = z.strictObject({
  id: z.string().describe('The id with which the token can be deleted.'),
  token: z.string().describe('The initial access token. Only this response contains it.'),
  expires_at: z.string(),
  reusable: z.boolean(),
});

/** Initial access tokens (RFC 7591), with which programs may register clients. Carnet's own: Hydra has none. */
export const registrationTokenRoutes = ({ registrationTokens }: Pick<Api, 'registrationTokens'>): readonly Route[] => [
  {
    method: 'POST',
    path: '/admin/registration-tokens',
    operationId: 'createRegistrationToken',
    summary: 'Create an initial access token. A program registers clients with it.',
    body: { schema: wire.schemaOf(createRegistrationToken) },
    answers: { 201: answer },
    handle: async (request) => {
      const isEmpty = (await request.body()).length === 0;
      const sent = wire.argumentsIn(createRegistrationToken, isEmpty ? {} : await request.json());
      const { expiresAt, ...token } = await registrationTokens.create(sent);
      return { status: 201, body: { ...token, expires_at: `${expiresAt.toISOString().slice(0, 19)}Z` } };
    },
  },
  {
    method: 'DELETE',
    path: '/admin/registration-tokens/:id',
    operationId: 'deleteRegistrationToken',
    summary: 'Delete an initial access token. Clients that were registered with it stay.',
    answers: { 204: null },
    handle: ({ params: { id = '' } }) => answerDone(registrationTokens.delete(id)),
  },
];
