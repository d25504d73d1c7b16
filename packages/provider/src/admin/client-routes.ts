import { clientJson, clientListJson } from '../clients/client-json.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import type { ClientStore } from '../clients/client-store.ts';
import { warningsOf } from '../clients/client-warnings.ts';
import { CarnetError } from '../errors.ts';
import { jsonContentType } from '../http/error-body.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/types.ts';
import { clientDescriptions as about } from './client-descriptions.ts';
import { type EchoOptions, echoBody } from './client-echo.ts';
import { type ClientListDependencies, listClients } from './client-list.ts';
import {
  type ClientOperationDependencies,
  type ClientOperations,
  createClientOperations,
} from './client-operations.ts';

export interface ClientDependencies extends ClientOperationDependencies, ClientListDependencies {
  readonly clients: Pick<ClientStore, 'findFresh' | 'create' | 'update' | 'remove' | 'list'>;
  /** Where a client manages itself (RFC 7592). */
  readonly registrationUri: (id: string) => string;
}

const json = { 'Content-Type': jsonContentType };

const idOf = ({ params }: HttpRequest): string => params.id ?? '';

const shown = (record: ClientRecord): HttpResponse => ({
  status: 200,
  headers: json,
  body: clientJson(record.metadata),
});

const echoed = (record: ClientRecord, options: EchoOptions): HttpResponse => ({
  status: 200,
  body: echoBody(record, options),
});

/** The response to a request that has set the metadata of a client. */
const withWarnings = (response: HttpResponse, { id, metadata }: ClientRecord): HttpResponse => ({
  ...response,
  warnings: warningsOf(metadata).map((warning) => `client ${JSON.stringify(id)}: ${warning}`),
});

const list = async (request: HttpRequest, deps: ClientDependencies): Promise<HttpResponse> => {
  const { records, link } = await listClients(request.query, deps);
  return { status: 200, headers: { ...json, Link: link }, body: clientListJson(records) };
};

/**
 * Current on every worker as soon as a change is answered, as Hydra's users expect: from the store, never from the cache.
 * Whoever asks while a read is under way shares the next one.
 */
const get = async (request: HttpRequest, { clients }: ClientDependencies): Promise<HttpResponse> => {
  const record = await clients.findFresh(idOf(request));
  if (record === undefined) throw new CarnetError('not_found', '');
  return shown(record);
};

const create = async (
  request: HttpRequest,
  operations: ClientOperations,
  { registrationUri }: ClientDependencies,
): Promise<HttpResponse> => {
  const sent = await request.json();
  const { record, secret, registrationToken: token } = await operations.create(sent);
  const registration = { token, uri: registrationUri(record.id) };
  const headers = { Location: `/admin/clients/${encodeURIComponent(record.id)}` };
  return withWarnings({ status: 201, headers, body: echoBody(record, { secret, registration, sent }) }, record);
};

const replace = async (request: HttpRequest, operations: ClientOperations): Promise<HttpResponse> => {
  const sent = await request.json();
  const { record, secret } = await operations.replace(idOf(request), sent);
  return withWarnings(echoed(record, { secret, sent }), record);
};

const patch = async (request: HttpRequest, operations: ClientOperations): Promise<HttpResponse> => {
  const { record } = await operations.patch(idOf(request), await request.json());
  return withWarnings(shown(record), record);
};

const setLifespans = async (request: HttpRequest, operations: ClientOperations): Promise<HttpResponse> =>
  shown(await operations.setLifespans(idOf(request), await request.json()));

const rotate = async (request: HttpRequest, operations: ClientOperations): Promise<HttpResponse> => {
  const { record, secret } = await operations.rotateSecret(idOf(request));
  return echoed(record, { secret });
};

const forgetRotated = async (request: HttpRequest, operations: ClientOperations): Promise<HttpResponse> =>
  shown(await operations.forgetRotatedSecrets(idOf(request)));

const remove = async (request: HttpRequest, { clients }: ClientDependencies): Promise<HttpResponse> => {
  await clients.remove(idOf(request));
  return { status: 204 };
};

/** The clients of the admin API. */
export const clientRoutes = (deps: ClientDependencies): readonly Route[] => {
  const operations = createClientOperations(deps);
  return [
    { method: 'GET', path: '/admin/clients', description: about.list, handle: (request) => list(request, deps) },
    {
      method: 'POST',
      path: '/admin/clients',
      description: about.create,
      audit: 'client.create',
      handle: (request) => create(request, operations, deps),
    },
    { method: 'GET', path: '/admin/clients/:id', description: about.get, handle: (request) => get(request, deps) },
    {
      method: 'PUT',
      path: '/admin/clients/:id',
      description: about.replace,
      audit: 'client.replace',
      handle: (request) => replace(request, operations),
    },
    {
      method: 'PATCH',
      path: '/admin/clients/:id',
      description: about.patch,
      audit: 'client.patch',
      handle: (request) => patch(request, operations),
    },
    {
      method: 'DELETE',
      path: '/admin/clients/:id',
      description: about.remove,
      audit: 'client.delete',
      handle: (request) => remove(request, deps),
    },
    {
      method: 'PUT',
      path: '/admin/clients/:id/lifespans',
      description: about.setLifespans,
      audit: 'client.lifespans',
      handle: (request) => setLifespans(request, operations),
    },
    {
      method: 'POST',
      path: '/admin/clients/:id/secrets/rotate',
      description: about.rotate,
      audit: 'client.rotate_secret',
      handle: (request) => rotate(request, operations),
    },
    {
      method: 'DELETE',
      path: '/admin/clients/:id/secrets/rotate',
      description: about.forgetRotated,
      audit: 'client.forget_secrets',
      handle: (request) => forgetRotated(request, operations),
    },
  ];
};
