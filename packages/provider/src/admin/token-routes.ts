import { z } from 'zod';
import type { Api } from '../api.ts';
import { CarnetError } from '../errors.ts';
import type { Route } from '../http/types.ts';
import { answerDone, parameter } from './answers.ts';

const inactive = z.strictObject({ active: z.literal(false) });
const active = z.strictObject({
  active: z.literal(true),
  scope: z.string(),
  client_id: z.string(),
  sub: z.string(),
  obfuscated_subject: z.string().optional(),
  exp: z.int(),
  iat: z.int(),
  nbf: z.int(),
  username: z.string().optional(),
  aud: z.array(z.string()),
  iss: z.string(),
  token_type: z.enum(['Bearer', 'DPoP']),
  token_use: z.enum(['access_token', 'refresh_token']),
  ext: z.record(z.string(), z.unknown()).optional(),
  act: z
    .looseObject({ sub: z.string() })
    .optional()
    .describe('The actor that acts for the subject (RFC 8693, section 4.1).'),
  cnf: z
    .looseObject({})
    .optional()
    .describe('The key (RFC 9449 section 6.2) or certificate (RFC 8705 section 3.2) that the token is bound to.'),
  authorization_details: z
    .array(z.looseObject({}))
    .optional()
    .describe('The granted authorization details (RFC 9396, section 9.2).'),
  auth_time: z.int().optional().describe('When the user authenticated, in seconds since 1970 (RFC 9470, section 6.2).'),
  acr: z.string().optional().describe('The authentication class that the user reached (RFC 9470, section 6.2).'),
  amr: z.array(z.string()).optional().describe('The authentication methods (RFC 8176).'),
});

const required = (values: URLSearchParams, name: string, where: 'form' | 'query'): string => {
  const value = parameter(values, name);
  if (value !== undefined) return value;
  throw new CarnetError('invalid_request', `The ${where} parameter ${name} is missing or empty.`);
};

export const tokenRoutes = ({ tokens }: Pick<Api, 'tokens'>): readonly Route[] => [
  {
    method: 'POST',
    path: '/admin/oauth2/introspect',
    operationId: 'introspectOAuth2Token',
    summary: 'Introspect a token (RFC 7662).',
    body: {
      type: 'application/x-www-form-urlencoded',
      schema: z.object({
        token: z.string(),
        scope: z
          .string()
          .optional()
          .describe('Space-delimited scopes. A token without all of them is reported as inactive.'),
      }),
    },
    answers: { 200: z.union([active, inactive]).meta({ id: 'IntrospectedOAuth2Token' }) },
    handle: async (request) => {
      const form = await request.form();
      const body = await tokens.introspect(required(form, 'token', 'form'), { scope: parameter(form, 'scope') });
      return { status: 200, body };
    },
  },
  {
    method: 'DELETE',
    path: '/admin/oauth2/tokens',
    operationId: 'deleteOAuth2Token',
    summary: 'Revoke all access tokens of a client. Its refresh tokens stay valid.',
    query: { client_id: 'The client.' },
    required: ['client_id'],
    answers: { 204: null },
    handle: ({ query }) => answerDone(tokens.revokeAccessTokens(required(query, 'client_id', 'query'))),
  },
];
