import type { StorageAdapter } from '@carnet/adapter-contract';
import { z } from 'zod';
import { generateInitialToken, type InitialTokenPayload, initialTokenKey } from '../clients/registration-token.ts';
import { CarnetError } from '../errors.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/types.ts';

export interface RegistrationTokenDependencies {
  readonly adapter: Pick<StorageAdapter, 'commit'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const aDay = 86_400;
const aYear = 365 * aDay;

const body = z.object({
  expires_in: z
    .int()
    .min(60)
    .max(aYear)
    .default(aDay)
    .describe('The lifetime in seconds, 60 to a year. Default: a day.'),
  reusable: z
    .boolean()
    .default(false)
    .describe('Whether the token may register any number of clients. By default it registers one.'),
});

const answer = z.strictObject({
  id: z.string().describe('The id with which the token can be deleted.'),
  token: z.string().describe('The initial access token. Only this response contains it.'),
  expires_at: z.string(),
  reusable: z.boolean(),
});

const parse = (sent: unknown): z.output<typeof body> => {
  const result = body.safeParse(sent);
  if (result.success) return result.data;
  const fields = result.error.issues.map(({ path }) => path.join('.') || 'the body').join(', ');
  throw new CarnetError('invalid_request', `Not valid: ${fields}. expires_in is seconds, 60 to ${aYear}.`);
};

const create = async (request: HttpRequest, { adapter, now }: RegistrationTokenDependencies): Promise<HttpResponse> => {
  const isEmpty = (await request.body()).length === 0;
  const { expires_in, reusable } = parse(isEmpty ? {} : await request.json());
  const token = generateInitialToken();
  const key = initialTokenKey(token);
  if (key === undefined) throw new TypeError('a token of another shape');
  const payload: InitialTokenPayload = { isReusable: reusable };
  const expiresAt = new Date(now() + expires_in * 1000);
  await adapter.commit([{ type: 'claim', record: { ...key, payload: JSON.stringify(payload), expiresAt } }]);
  const expires_at = `${expiresAt.toISOString().slice(0, 19)}Z`;
  return { status: 201, body: { id: key.id, token, expires_at, reusable } };
};

const remove = async ({ params }: HttpRequest, deps: RegistrationTokenDependencies): Promise<HttpResponse> => {
  const id = params.id ?? '';
  if (!/^[\w-]{43}$/.test(id)) throw new CarnetError('not_found', '');
  await deps.adapter.commit([{ type: 'remove', key: { kind: 'registration_token', id } }]);
  return { status: 204 };
};

/** Initial access tokens (RFC 7591), with which programs may register clients. Carnet's own: Hydra has none. */
export const registrationTokenRoutes = (deps: RegistrationTokenDependencies): readonly Route[] => [
  {
    method: 'POST',
    path: '/admin/registration-tokens',
    description: {
      operationId: 'createRegistrationToken',
      summary: 'Create an initial access token. A program registers clients with it.',
      body: { schema: body },
      answers: { 201: answer },
    },
    handle: (request) => create(request, deps),
  },
  {
    method: 'DELETE',
    path: '/admin/registration-tokens/:id',
    description: {
      operationId: 'deleteRegistrationToken',
      summary: 'Delete an initial access token. Clients that were registered with it stay.',
      answers: { 204: null },
    },
    handle: (request) => remove(request, deps),
  },
];
