import { z } from 'zod';
import { clientAnswer } from '../clients/client-answer.ts';
import { clientBody, lifespansBody } from '../clients/client-schema.ts';
import type { RouteDescription } from '../http/types.ts';

const client = { 200: clientAnswer };
const body = { schema: clientBody };

const jsonPatch = z.array(
  z.object({
    op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']),
    path: z.string(),
    from: z.string().optional(),
    value: z.unknown().optional(),
  }),
);

/** The OpenAPI descriptions of the clients' routes. */
export const clientDescriptions = {
  list: {
    operationId: 'listOAuth2Clients',
    summary: 'List clients. The Link header has the URL of the next page.',
    query: {
      page_size: 'The maximum number of clients on a page, 1 to 500. Default 100.',
      page_token: 'The value from the Link header of the previous page.',
      client_name: 'List only the clients with exactly this name.',
      owner: 'List only the clients with exactly this owner.',
    },
    answers: { 200: z.array(clientAnswer) },
  },
  create: {
    operationId: 'createOAuth2Client',
    summary: 'Register a client. Only this response contains its secret.',
    body,
    answers: { 201: clientAnswer },
  },
  get: { operationId: 'getOAuth2Client', summary: 'Get a client.', answers: client },
  replace: {
    operationId: 'setOAuth2Client',
    summary: 'Replace a client. Omitted members get their defaults; an omitted secret stays.',
    body,
    answers: client,
  },
  patch: {
    operationId: 'patchOAuth2Client',
    summary: 'Change members of a client with a JSON Patch (RFC 6902).',
    body: { schema: jsonPatch },
    answers: client,
  },
  remove: {
    operationId: 'deleteOAuth2Client',
    summary: 'Delete a client, its tokens, grants and consents.',
    answers: { 204: null },
  },
  setLifespans: {
    operationId: 'setOAuth2ClientLifespans',
    summary: "Replace the lifespans of a client's tokens.",
    body: { schema: lifespansBody },
    answers: client,
  },
  rotate: {
    operationId: 'rotateOAuth2ClientSecret',
    summary: 'Generate a new secret for a client. Its five previous secrets stay valid.',
    answers: client,
  },
  forgetRotated: {
    operationId: 'deleteRotatedOAuth2ClientSecrets',
    summary: 'Invalidate the previous secrets of a client. The current secret stays valid.',
    answers: client,
  },
} as const satisfies Record<string, RouteDescription>;
