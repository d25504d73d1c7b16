import type { ClientRecord } from '../clients/client-record.ts';
import type { EndpointHandler } from '../endpoints/handler.ts';
import { createEncryptionKeys } from '../library/encryption-keys.ts';
import type { OpenedAccessToken } from '../tokens/access-token.ts';
import { createIntrospect, type Introspection } from '../tokens/introspect.ts';
import { createEndpoints } from './create-endpoints.ts';
import { createIssuing } from './create-issuing.ts';
import { createLibrary } from './create-library.ts';
import type { OidcDependencies } from './oidc-dependencies.ts';

export interface Oidc {
  /** The pattern of the endpoint at a path below the issuer; undefined if the provider has no such endpoint. */
  routeOf(path: string): string | undefined;
  /** Answers a request whose URL is relative to the issuer. */
  readonly handle: EndpointHandler;
  introspect(token: string, options?: { readonly scope?: string }): Promise<Introspection>;
  /** The claims of a JWT access token of this issuer; `undefined` for any other value, and once it has expired. */
  openAccessToken(jwt: string): OpenedAccessToken | undefined;
  /** Throws `invalid_client_metadata`. */
  validateClient(record: Pick<ClientRecord, 'id' | 'metadata'>): Promise<void>;
  /**
   * Like `validateClient`, but sends no request. For the clients of the configuration: their operator decides which redirect
   * URIs belong to a sector, and a start must not depend on another server.
   */
  validateConfiguredClient(record: Pick<ClientRecord, 'id' | 'metadata'>): Promise<void>;
  stats(): { readonly clientInstantiations: number };
}

/** Puts the parts of the public endpoints together. */
export const createOidc = (deps: OidcDependencies): Oidc => {
  const { options, subjects } = deps;
  const issuing = createIssuing(deps, createEncryptionKeys({ find: (id) => library.clients.find(id) }));
  const library = createLibrary(deps, Object.keys(issuing.grants));
  const { clients, paths } = library;
  return {
    routeOf: (path) => paths.endpointAt(path)?.path,
    handle: createEndpoints(deps, library, issuing),
    introspect: createIntrospect({
      ...issuing,
      issuer: options.issuer,
      subjects,
      showsAuthentication: options.supportedAcrValues.length > 0 && options.discovery !== 'hydra',
    }),
    openAccessToken: issuing.jwts.open,
    validateClient: async (record) => {
      await clients.validate(record);
      await subjects.validate(record.metadata);
    },
    validateConfiguredClient: async (record) => {
      await clients.validate(record);
      subjects.assertSupported(record.metadata);
    },
    stats: () => ({ clientInstantiations: clients.instantiations() }),
  };
};
