import { z } from 'zod';
import type { ClientStore } from '../clients/client-store.ts';
import { CarnetError } from '../errors.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/types.ts';

export interface IntrospectOptions {
  /** The scopes, separated by blanks, of which a token that lacks one is not active. */
  readonly scope: string | undefined;
}

export interface TokenDependencies {
  /** The body of the answer (RFC 7662 section 2.2); `{ active: false }` for what is no live token. */
  readonly introspect: (token: string, options: IntrospectOptions) => Promise<object>;
  readonly clients: Pick<ClientStore, 'find' | 'update'>;
}

const maxTokenLength = 16_384;

/** A parameter that is given at most once (RFC 6749 section 3.2); an empty one counts as not given. */
const parameter = (form: URLSearchParams, name: string): string | undefined => {
  const values = form.getAll(name);
  if (values.length > 1) throw new CarnetError('invalid_request', `The parameter ${name} is given more than once.`);
  return values[0] === '' ? undefined : values[0];
};

const handleIntrospect = async (request: HttpRequest, deps: TokenDependencies): Promise<HttpResponse> => {
  const form = await request.form();
  const token = parameter(form, 'token');
  if (token === undefined) throw new CarnetError('invalid_request', 'The form parameter token is missing or empty.');
  const options = { scope: parameter(form, 'scope') };
  // Nothing as long was ever issued.
  if (token.length > maxTokenLength) return { status: 200, body: { active: false } };
  return { status: 200, body: await deps.introspect(token, options) };
};

const inNoStore = (): CarnetError =>
  new CarnetError(
    'invalid_request',
    'The client has a metadata document and is in no store. To end its tokens, register a client under its client_id: they are inactive for as long as it is registered.',
  );

/** All access tokens of a client are dead; its refresh tokens live on, as in Hydra. A client that is not there has none. */
const handleRevokeAll = async ({ query }: HttpRequest, { clients }: TokenDependencies): Promise<HttpResponse> => {
  const clientId = parameter(query, 'client_id');
  if (clientId === undefined) throw new CarnetError('invalid_request', 'The query parameter client_id is missing.');
  try {
    // A number that the tokens carry and not a time: the clocks of several processes differ.
    await clients.update(clientId, (record) => ({ ...record, tokenRevocations: (record.tokenRevocations ?? 0) + 1 }));
  } catch (error) {
    if (!(error instanceof CarnetError && error.code === 'not_found')) throw error;
    // Nowhere is there a record that could hold the number: an answer of success would be wrong.
    if (await clients.find(clientId)) throw inNoStore();
  }
  return { status: 204 };
};

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
});

const introspection = {
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
} as const;

const revokeAll = {
  operationId: 'deleteOAuth2Token',
  summary: 'Revoke all access tokens of a client. Its refresh tokens stay valid.',
  query: { client_id: 'The client.' },
  required: ['client_id'],
  answers: { 204: null },
} as const;

export const tokenRoutes = (deps: TokenDependencies): readonly Route[] => [
  {
    method: 'POST',
    path: '/admin/oauth2/introspect',
    description: introspection,
    handle: (request) => handleIntrospect(request, deps),
  },
  {
    method: 'DELETE',
    path: '/admin/oauth2/tokens',
    description: revokeAll,
    handle: (request) => handleRevokeAll(request, deps),
  },
];
