import type { StorageAdapter, Write } from '@carnet/adapter-contract';
import { type ClientBuilder, usesSecret } from '../clients/client-builder.ts';
import type { ClientRecord } from '../clients/client-record.ts';
import type { ClientStore } from '../clients/client-store.ts';
import {
  generateRegistrationToken,
  initialTokenKey,
  matchesRegistrationToken,
  readInitialToken,
} from '../clients/registration-tokens.ts';
import { generateSecret, hashFast } from '../clients/secret-hash.ts';
import type { SecretVerifier } from '../clients/secret-verifier.ts';
import type { Clock } from '../clock.ts';
import { CarnetError } from '../errors.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/types.ts';
import type { Audit } from '../telemetry/audit.ts';
import type { DynamicClientRegistrationConfig } from './config.ts';
import type { RegistrationPolicy, RegistrationTerms } from './policy.ts';
import { parseChangedClient, parseNewClient, publicMetadata } from './self-metadata.ts';

/** The same error for every refusal, so that a caller cannot find out whether the token ever existed. */
const unauthorized = (): CarnetError =>
  new CarnetError('unauthorized', 'The access token is missing, was used, or is not valid here.');

/**
 * The writes for the commit of the client: they consume a token for a single registration.
 * @throws CarnetError `unauthorized`
 */
const admit = async (
  adapter: Pick<StorageAdapter, 'read'>,
  token: string | undefined,
  now: () => number,
): Promise<readonly Write[]> => {
  if (token === undefined) throw unauthorized();
  const key = initialTokenKey(token);
  const [record] = await adapter.read([key]);
  if (record === undefined || record.consumedAt !== null) throw unauthorized();
  const { isReusable } = readInitialToken(record);
  return isReusable ? [] : [{ type: 'consume', key, at: new Date(now()) }];
};

export interface RegistrationDependencies extends Clock {
  readonly config: Pick<DynamicClientRegistrationConfig, 'enabled' | 'access'>;
  readonly terms: RegistrationTerms;
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly clients: Pick<ClientStore, 'findFresh' | 'create' | 'update' | 'remove'>;
  readonly builder: ClientBuilder;
  readonly policy: RegistrationPolicy;
  readonly verifySecret: SecretVerifier['verify'];
  /** Throws CarnetError `too_many_registrations`. */
  readonly takePlace: () => Promise<void>;
  /** Where a client manages itself. */
  readonly uriOf: (id: string) => string;
  readonly audit: Audit;
}

export const registrationPath = '/oauth2/register';

const bearer = /^Bearer +([\x21-\x7e]{1,512}) *$/i;

const tokenOf = ({ headers }: HttpRequest): string | undefined => bearer.exec(headers.authorization ?? '')?.[1];

const idOf = ({ params }: HttpRequest): string => params.id ?? '';

const notEnabled = (): never => {
  throw new CarnetError('not_found', 'Dynamic registration is not enabled.');
};

interface Shown {
  readonly record: ClientRecord;
  readonly token: string;
  readonly secret?: string;
}

const create = async (request: HttpRequest, deps: RegistrationDependencies): Promise<Shown> => {
  const { config, adapter, clients, builder, policy } = deps;
  const isOpen = config.access === 'open';
  const also = isOpen ? [] : await admit(adapter, tokenOf(request), deps.now);
  const input = parseNewClient(await request.json(), deps.terms.defaults);
  await policy(input.metadata);
  if (isOpen) await deps.takePlace();
  const { record, secret, registrationToken: token } = await builder.build(input);
  await clients.create(record, also);
  return { record, token, secret };
};

/** The client, if the token of the request belongs to it. The error does not reveal whether the client exists. */
const authorized = (request: HttpRequest, record: ClientRecord | undefined): Shown => {
  const token = tokenOf(request);
  if (record === undefined || token === undefined || !matchesRegistrationToken(record, token)) throw unauthorized();
  return { record, token };
};

const read = async (request: HttpRequest, { clients }: RegistrationDependencies): Promise<Shown> =>
  authorized(request, await clients.findFresh(idOf(request)));

const replace = async (request: HttpRequest, deps: RegistrationDependencies): Promise<Shown> => {
  await read(request, deps);
  const sent = await request.json();
  const token = generateRegistrationToken();
  let secret: string | undefined;
  const record = await deps.clients.update(idOf(request), async (current) => {
    authorized(request, current);
    const { input, secret: sentSecret } = parseChangedClient(sent, current, deps.terms.defaults);
    if (sentSecret !== undefined && !(await deps.verifySecret(current.id, sentSecret, current.secrets)))
      throw new CarnetError('request_forbidden', 'It is not allowed to choose your own OAuth2 Client secret.');
    await deps.policy(input.metadata, current);
    // A client that had no secret and needs one now gets it: it may not choose.
    const needsOne = usesSecret(input.metadata) && current.secrets.length === 0;
    secret = needsOne ? generateSecret() : undefined;
    const secrets = secret === undefined ? current.secrets : [hashFast(secret)];
    const rebuilt = await deps.builder.rebuild({ ...current, secrets }, input);
    return { ...rebuilt, registrationToken: token.hash };
  });
  return { record, token: token.value, secret };
};

const remove = async (request: HttpRequest, deps: RegistrationDependencies): Promise<HttpResponse> => {
  const { record } = await read(request, deps);
  await deps.clients.remove(record.id);
  deps.audit({ action: 'client.remove', outcome: 'success', clientId: record.id });
  return { status: 204 };
};

const shown = (status: number, { record, token, secret }: Shown, deps: RegistrationDependencies): HttpResponse => ({
  status,
  headers: { Pragma: 'no-cache' },
  body: {
    ...publicMetadata(record),
    ...(secret === undefined ? {} : { client_secret: secret }),
    registration_access_token: token,
    registration_client_uri: deps.uriOf(record.id),
  },
});

/** RFC 7591, section 3.2.2, has a code for `redirect_uris`. The admin API has one code for all fields, as Hydra has. */
const inTermsOfRfc7591 = (error: unknown): unknown =>
  error instanceof CarnetError && error.code === 'invalid_client_metadata' && error.field === 'redirect_uris'
    ? new CarnetError('invalid_redirect_uri', error.description, { cause: error, field: error.field })
    : error;

/** Clients that register (RFC 7591) and manage themselves (RFC 7592), as Hydra's users know it. */
export const registrationRoutes = (deps: RegistrationDependencies): readonly Route[] => {
  const answer =
    (action: 'client.create' | 'client.update' | undefined, status: number, work: typeof create): Route['handle'] =>
    async (request) => {
      const result = await work(request, deps).catch((error: unknown) => {
        throw inTermsOfRfc7591(error);
      });
      if (action) deps.audit({ action, outcome: 'success', clientId: result.record.id });
      return shown(status, result, deps);
    };
  const one = `${registrationPath}/:id`;
  const routes: readonly Route[] = [
    { method: 'POST', path: registrationPath, handle: answer('client.create', 201, create) },
    { method: 'GET', path: one, handle: answer(undefined, 200, read) },
    { method: 'PUT', path: one, handle: answer('client.update', 200, replace) },
    { method: 'DELETE', path: one, handle: (request) => remove(request, deps) },
  ];
  return deps.config.enabled ? routes : routes.map((route) => ({ ...route, handle: notEnabled }));
};
