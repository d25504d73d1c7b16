import { z } from 'zod';
import type { Api } from '../api.ts';
import { clientAnswer } from '../clients/client-answer.ts';
import { clientJson, clientListJson, type OAuth2Client } from '../clients/client-record.ts';
import { clientBody, lifespansBody } from '../clients/client-schema.ts';
import { warningsOf } from '../clients/client-warnings.ts';
import type { ClientMetadata } from '../clients/manage-clients.ts';
import { createRegistrationToken } from '../clients/registration-tokens.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/types.ts';
import { createWireNames } from '../http/wire-names.ts';
import { adminRequest } from '../telemetry/audit.ts';
import { answerDone, answerPage, type Paged, pageParameters } from './answers.ts';

/** Members that are `null` in the answer to a create or a PUT that did not send them, and `[]` ever after: as in Hydra. */
const nullUnlessSent = ['redirect_uris', 'grant_types', 'response_types', 'contacts'] as const;

const answerChanged = (status: number, client: OAuth2Client, sent?: ClientMetadata): HttpResponse => {
  const unset = sent ? nullUnlessSent.filter((name) => (sent[name] ?? null) === null) : [];
  return { status, body: { ...client, ...Object.fromEntries(unset.map((name) => [name, null])) } };
};

/** The warnings of the metadata that the request has set. They are logged with the request. */
const withWarnings = (response: HttpResponse, client: OAuth2Client): HttpResponse => ({
  ...response,
  warnings: warningsOf(client).map((warning) => `client ${JSON.stringify(client.client_id)}: ${warning}`),
});

const shown = (client: OAuth2Client): HttpResponse => ({ status: 200, body: clientJson(client) });

const metadataIn = async (request: HttpRequest): Promise<ClientMetadata> => (await request.json()) as ClientMetadata;

const jsonPatch = z.array(
  z.object({
    op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']),
    path: z.string(),
    from: z.string().optional(),
    value: z.unknown().optional(),
  }),
);

const path = '/admin/clients';
const one = { 200: clientAnswer };

const collectionRoutes = ({ clients, pageTokens }: Pick<Api, 'clients'> & Paged): readonly Route[] => [
  {
    method: 'GET',
    path,
    operationId: 'listOAuth2Clients',
    summary: 'List clients. The Link header has the URL of the next page.',
    query: {
      ...pageParameters('clients'),
      client_name: 'List only the clients with exactly this name.',
      owner: 'List only the clients with exactly this owner.',
    },
    answers: { 200: z.array(clientAnswer) },
    handle: (request) => {
      const [clientName, owner] = ['client_name', 'owner'].map((name) => request.query.get(name) ?? '');
      const listing = { path, filters: { client_name: clientName as string, owner: owner as string }, pageTokens };
      return answerPage(request, listing, (page) => clients.list({ clientName, owner, ...page }), clientListJson);
    },
  },
  {
    method: 'POST',
    path,
    audit: 'client.create',
    operationId: 'createOAuth2Client',
    summary: 'Register a client. Only this response contains its secret.',
    body: { schema: clientBody },
    answers: { 201: clientAnswer },
    handle: async (request) => {
      const sent = await metadataIn(request);
      const client = await clients.create(sent);
      Object.assign(adminRequest.getStore() ?? {}, { clientId: client.client_id });
      const headers = { Location: `${path}/${encodeURIComponent(client.client_id)}` };
      return withWarnings({ ...answerChanged(201, client, sent), headers }, client);
    },
  },
];

const clientItemRoutes = ({ clients }: Pick<Api, 'clients'>): readonly Route[] => [
  {
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getOAuth2Client',
    summary: 'Get a client.',
    answers: one,
    handle: ({ params: { id = '' } }) => clients.get(id).then(shown),
  },
  {
    method: 'PUT',
    path: `${path}/:id`,
    audit: 'client.replace',
    operationId: 'setOAuth2Client',
    summary: 'Replace a client. Omitted members get their defaults; an omitted secret stays.',
    body: { schema: clientBody },
    answers: one,
    handle: async (request) => {
      const sent = await metadataIn(request);
      const client = await clients.replace(request.params.id ?? '', sent);
      return withWarnings(answerChanged(200, client, sent), client);
    },
  },
  {
    method: 'PATCH',
    path: `${path}/:id`,
    audit: 'client.patch',
    operationId: 'patchOAuth2Client',
    summary: 'Change members of a client with a JSON Patch (RFC 6902).',
    body: { schema: jsonPatch },
    answers: one,
    handle: async (request) => {
      const client = await clients.patch(request.params.id ?? '', (await request.json()) as []);
      return withWarnings(shown(client), client);
    },
  },
  {
    method: 'DELETE',
    path: `${path}/:id`,
    audit: 'client.delete',
    operationId: 'deleteOAuth2Client',
    summary: 'Delete a client, its tokens, grants and consents.',
    answers: { 204: null },
    handle: ({ params: { id = '' } }) => answerDone(clients.delete(id)),
  },
];

const clientPartRoutes = ({ clients }: Pick<Api, 'clients'>): readonly Route[] => [
  {
    method: 'PUT',
    path: `${path}/:id/lifespans`,
    audit: 'client.lifespans',
    operationId: 'setOAuth2ClientLifespans',
    summary: "Replace the lifespans of a client's tokens.",
    body: { schema: lifespansBody },
    answers: one,
    handle: async (request) =>
      shown(await clients.setLifespans(request.params.id ?? '', (await request.json()) as object)),
  },
  {
    method: 'POST',
    path: `${path}/:id/secrets/rotate`,
    audit: 'client.rotate_secret',
    operationId: 'rotateOAuth2ClientSecret',
    summary: 'Generate a new secret for a client. Its five previous secrets stay valid.',
    answers: one,
    handle: async ({ params: { id = '' } }) => answerChanged(200, await clients.rotateSecret(id)),
  },
  {
    method: 'DELETE',
    path: `${path}/:id/secrets/rotate`,
    audit: 'client.forget_secrets',
    operationId: 'deleteRotatedOAuth2ClientSecrets',
    summary: 'Invalidate the previous secrets of a client. The current secret stays valid.',
    answers: one,
    handle: async ({ params: { id = '' } }) => shown(await clients.revokeRotatedSecrets(id)),
  },
];

/** The clients of the admin API. */
export const clientRoutes = (deps: Pick<Api, 'clients'> & Paged): readonly Route[] =>
  [collectionRoutes, clientItemRoutes, clientPartRoutes].flatMap((routes) => routes(deps));

const wire = createWireNames();
const argumentsIn = wire.argumentsReader(createRegistrationToken);

const registrationTokenAnswer = z.strictObject({
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
    answers: { 201: registrationTokenAnswer },
    handle: async (request) => {
      const isEmpty = (await request.body()).length === 0;
      const { expiresAt, ...token } = await registrationTokens.create(argumentsIn(isEmpty ? {} : await request.json()));
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
