import type { StorageAdapter } from '@carnet/adapter-contract';
import { type ClientBuilderDependencies, createClientBuilder } from '../clients/client-builder.ts';
import type { ClientStore } from '../clients/client-store.ts';
import type { SecretVerifier } from '../clients/secret-verifier.ts';
import type { Clock } from '../clock.ts';
import { CarnetError, fieldError } from '../errors.ts';
import { createRouter, type NodeHandler } from '../http/router.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { Audit } from '../telemetry/audit.ts';
import type { DynamicClientRegistrationConfig } from './config.ts';
import { createRegistrationPolicy, type RegistrationHook } from './policy.ts';
import { createRate } from './rate.ts';
import { createRegistrationHandler } from './registration-handler.ts';
import { registrationPath, registrationRoutes } from './registration-routes.ts';
import type { RegistrationTerms } from './terms.ts';

export interface CreateRegistrationOptions extends Pick<ClientBuilderDependencies, 'validateMetadata'>, Clock {
  readonly config: DynamicClientRegistrationConfig;
  readonly terms: RegistrationTerms;
  readonly issuer: string;
  readonly adapter: Pick<StorageAdapter, 'read' | 'commit'>;
  readonly clients: ClientStore;
  readonly verifySecret: SecretVerifier['verify'];
  readonly hook: RegistrationHook | undefined;
  readonly audit: Audit;
  readonly requestId: () => string;
  readonly onError: (error: unknown, requestId: string) => void;
}

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
export const createRegistration = (options: CreateRegistrationOptions): NodeHandler => {
  const { config, terms, adapter, now } = options;
  const routes = registrationRoutes({
    ...options,
    builder: createClientBuilder({ validateMetadata: discreetly(options.validateMetadata), now }),
    defaults: terms.defaults,
    policy: createRegistrationPolicy(terms.limits, options.hook),
    takePlace: createRate({ adapter, maxPerMinute: config.maxPerMinute, now }),
    uriOf: registrationUriOf(options.issuer),
  });
  const handle = createRouter({
    routes,
    requestId: options.requestId,
    onAnswer: ({ error, status, requestId }) => {
      if (error !== undefined && status >= 500) options.onError(error, requestId);
    },
  });
  return createRegistrationHandler(handle, config);
};
