import type { RecordKey } from '@carnet/adapter-contract';
import { type ClientBuilderDependencies, createClientBuilder } from '../clients/client-builder.ts';
import { CarnetError, fieldError } from '../errors.ts';
import { type CompleteResponse, completeResponse, type EndpointHandler, securityHeaders } from '../http/response.ts';
import { type AnswerRoutes, createRoutes } from '../http/router.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { recordId } from '../storage/record-id.ts';
import type { DynamicClientRegistrationConfig } from './config.ts';
import { createRegistrationPolicy, type RegistrationHook } from './policy.ts';
import { type RegistrationDependencies, registrationPath, registrationRoutes } from './registration-routes.ts';

const prefix = `${registrationPath}/`;

/** The route of registration at a path below the issuer. */
export const registrationRouteOf = (path: string): string | undefined => {
  if (path === registrationPath) return path;
  return path.startsWith(prefix) && !path.slice(prefix.length).includes('/') ? `${prefix}:id` : undefined;
};

/**
 * A page of any origin may register and manage clients. Safe because no response depends on the user of the browser: no cookie
 * is read, and browsers send none, because Access-Control-Allow-Credentials is never set. A page needs the same bearer token
 * as any other program, and where registration is open it gets the same response.
 */
const crossOrigin = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'WWW-Authenticate',
} as const;

const preflight = {
  ...crossOrigin,
  'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
  'Access-Control-Allow-Headers': 'authorization, content-type',
  'Access-Control-Max-Age': '3600',
} as const;

/** Answers pages of other origins too (CORS), while registration is enabled. */
const createRegistrationHandler =
  (answer: AnswerRoutes, { enabled }: { readonly enabled: boolean }): EndpointHandler =>
  (message, _hostHeaders, requestId) => {
    const isForPage = enabled && message.headers.origin !== undefined;
    const own = { ...securityHeaders, 'X-Request-Id': requestId };
    if (isForPage && message.method === 'OPTIONS')
      return Promise.resolve(completeResponse({ status: 204, headers: preflight }, own));
    return new Promise((resolve, reject) => {
      const send = ({ headers, ...response }: CompleteResponse) =>
        resolve({ ...response, headers: { ...own, ...(isForPage && crossOrigin), ...headers } });
      answer(message, requestId, send).catch(reject);
    });
  };

export interface CreateRegistrationOptions
  extends Omit<RegistrationDependencies, 'builder' | 'policy' | 'takePlace' | 'uriOf'>,
    Pick<ClientBuilderDependencies, 'validateMetadata'> {
  readonly config: DynamicClientRegistrationConfig;
  readonly issuer: string;
  readonly hook: RegistrationHook | undefined;
  readonly onError: (error: unknown, requestId: string) => void;
}

const tries = 3;
const minuteMs = 60_000;

/**
 * Limits the registrations of all callers, in all processes. Each minute has a fixed number of slots, and each slot is
 * claimed in the store: if two processes find the same free slot, only one of them gets it.
 *
 * @returns what throws CarnetError `too_many_registrations`
 */
const createRate =
  ({ adapter, config: { maxPerMinute }, now }: CreateRegistrationOptions): (() => Promise<void>) =>
  async () => {
    const minute = Math.floor(now() / minuteMs);
    const places = Array.from(
      { length: maxPerMinute },
      (_, place): RecordKey => ({ kind: 'counter', id: recordId(`registration:${minute}:${place}`) }),
    );
    const taken = await adapter.read(places);
    const free = places.filter((_, place) => taken[place] === undefined);
    for (const key of free.slice(0, tries)) {
      const record = { ...key, payload: '{}', expiresAt: new Date((minute + 2) * minuteMs) };
      if ((await adapter.commit([{ type: 'claim', record }])) === undefined) return;
    }
    throw new CarnetError('too_many_registrations', 'Too many clients are being registered. Try again in a minute.');
  };

/** Where a client of this issuer manages itself. */
export const registrationUriOf =
  (issuer: string) =>
  (id: string): string =>
    `${issuer}${registrationPath}/${encodeURIComponent(id)}`;

/** The cause of a failed request is only logged: a caller must not learn about the internal network. */
export const discreetly =
  (validate: ClientBuilderDependencies['validateMetadata']): ClientBuilderDependencies['validateMetadata'] =>
  (metadata) =>
    validate(metadata).catch((error: unknown) => {
      if (!(error instanceof CarnetError && error.cause instanceof OutboundError)) throw error;
      throw fieldError('sector_identifier_uri', ': the document could not be fetched.', { cause: error });
    });

/** The endpoints of registration, for requests whose URL is relative to the issuer. */
export const createRegistration = (options: CreateRegistrationOptions): EndpointHandler => {
  const { config, terms, now } = options;
  const routes = registrationRoutes({
    ...options,
    builder: createClientBuilder({ validateMetadata: discreetly(options.validateMetadata), now }),
    policy: createRegistrationPolicy(terms.limits, options.hook),
    takePlace: createRate(options),
    uriOf: registrationUriOf(options.issuer),
  });
  const handle = createRoutes({
    routes,
    onAnswer: ({ error, status, requestId }) => {
      if (error !== undefined && status >= 500) options.onError(error, requestId);
    },
  });
  return createRegistrationHandler(handle, config);
};
