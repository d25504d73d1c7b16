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

/** What the OpenAPI document says of the clients' routes. */
export const clientDescriptions = {
  list: {
    operationId: 'listOAuth2Clients',
    summary: 'List clients, page by page: the Link header leads to the next.',
    query: {
      page_size: 'How many clients, 1 to 500. Default 100.',
      page_token: 'From the Link header of the page before.',
      client_name: 'Only clients of exactly this name.',
      owner: 'Only clients of exactly this owner.',
    },
    answers: { 200: z.array(clientAnswer) },
  },
  create: {
    operationId: 'createOAuth2Client',
    summary: 'Register a client. Its secret is in the answer, and never again.',
    body,
    answers: { 201: clientAnswer },
  },
  get: { operationId: 'getOAuth2Client', summary: 'Get a client.', answers: client },
  replace: {
    operationId: 'setOAuth2Client',
    summary: 'Set a client: all of it anew but its secret, unless one is sent.',
    body,
    answers: client,
  },
  patch: {
    operationId: 'patchOAuth2Client',
    summary: 'Change members of a client by a JSON Patch (RFC 6902).',
    body: { schema: jsonPatch },
    answers: client,
  },
  remove: {
    operationId: 'deleteOAuth2Client',
    summary: 'Delete a client and all it was given.',
    answers: { 204: null },
  },
  setLifespans: {
    operationId: 'setOAuth2ClientLifespans',
    summary: "Set the lifespans of a client's tokens, all of them.",
    body: { schema: lifespansBody },
    answers: client,
  },
  rotate: {
    operationId: 'rotateOAuth2ClientSecret',
    summary: 'Give a client a new secret. The last five stay valid beside it.',
    answers: client,
  },
  forgetRotated: {
    operationId: 'deleteRotatedOAuth2ClientSecrets',
    summary: 'Make every secret of a client invalid but the current one.',
    answers: client,
  },
} as const satisfies Record<string, RouteDescription>;
