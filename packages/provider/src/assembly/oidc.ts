import type { ClientRecord } from '../clients/client-record.ts';
import type { SigningKeys } from '../keys/signing/signing-keys.ts';
import { createEncryptionKeys } from '../library/client-keys.ts';
import { createIntrospect } from '../tokens/introspect.ts';
import { createEndpoints } from './create-endpoints.ts';
import { createIssuing } from './create-issuing.ts';
import { createLibrary } from './create-library.ts';
import type { Foundation } from './foundation.ts';
import { type OidcDependencies, type OidcParts, oidcDependencies } from './oidc-dependencies.ts';

type Registered = Pick<ClientRecord, 'id' | 'metadata'>;

const createOidc = (deps: OidcDependencies) => {
  const { options, subjects, counts } = deps;
  const issuing = createIssuing(deps, createEncryptionKeys({ find: (id) => library.clients.find(id) }));
  const library = createLibrary(deps, Object.keys(issuing.grants));
  const { clients, paths } = library;
  return {
    /** The pattern of the endpoint at a path below the issuer; undefined if the provider has no such endpoint. */
    routeOf: (path: string): string | undefined => paths.endpointAt(path)?.path,
    /** Answers a request whose URL is relative to the issuer. */
    handle: createEndpoints(deps, library, issuing),
    introspect: createIntrospect({
      ...issuing,
      issuer: options.issuer,
      subjects,
      showsAuthentication: options.supportedAcrValues.length > 0 && options.discovery !== 'hydra',
    }),
    /** The claims of a JWT access token of this issuer; `undefined` for any other value, and once it has expired. */
    openAccessToken: issuing.jwts.open,
    /** Throws `invalid_client_metadata`. */
    validateClient: async (record: Registered): Promise<void> => {
      await clients.validate(record);
      await subjects.validate(record.metadata);
    },
    /**
     * Like `validateClient`, but sends no request. For the clients of the configuration: their operator decides which redirect
     * URIs belong to a sector, and a start must not depend on another server.
     */
    validateConfiguredClient: async (record: Registered): Promise<void> => {
      await clients.validate(record);
      subjects.assertSupported(record.metadata);
    },
    stats: () => ({ ...counts }),
  };
};

/**
 * The public endpoints with the current signing keys. oidc-provider takes its keys once: with other keys there is another one,
 * put in place between two requests. Requests in progress keep the one with which they began.
 */
export type CurrentOidc = () => ReturnType<typeof createOidc>;

/** Creates the provider from the configuration. */
export const createCurrentOidc = (base: Foundation, parts: OidcParts): CurrentOidc => {
  const deps = oidcDependencies(base, parts);
  const create = (signingKeys: SigningKeys) => createOidc({ ...deps, signingKeys });
  let current = create(base.signingKeys.current());
  base.signingKeys.onChange((signingKeys) => {
    current = create(signingKeys);
  });
  return () => current;
};

/** The dependencies of the API and the listeners. Each takes those that it needs. */
export interface Parts extends OidcParts {
  readonly oidc: CurrentOidc;
}
