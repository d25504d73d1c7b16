import { createHmac } from 'node:crypto';
import type { ClientMetadata } from '@carnet/provider';
import { CarnetError } from '@carnet/provider';
import type { ConsoleServer } from '../server/console-server.ts';

export interface ClientTerms {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly secret: string;
  readonly scope: string;
  /** How long its access tokens are valid, which is how long a session of the console may last. */
  readonly sessionSeconds: number;
}

const metadataOf = ({ clientId, redirectUri, secret, scope, sessionSeconds }: ClientTerms): ClientMetadata => ({
  client_id: clientId,
  client_name: 'Carnet console',
  client_secret: secret,
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code'],
  response_types: ['code'],
  scope,
  token_endpoint_auth_method: 'client_secret_basic',
  // The operators of the provider are not asked whether the provider may read their claims.
  skip_consent: true,
  authorization_code_grant_access_token_lifespan: `${sessionSeconds}s`,
});

/** Shows without the secret whether the client is registered with these terms. */
const fingerprintOf = (metadata: ClientMetadata, { secret }: ClientTerms): string =>
  createHmac('sha256', secret).update(JSON.stringify(metadata)).digest('base64url');

const isError = (error: unknown, code: CarnetError['code']): boolean =>
  error instanceof CarnetError && error.code === code;

/** Registers the client of the console, or brings it up to date. Several processes may do so at once. */
export const registerClient = async (
  { clients }: Pick<ConsoleServer, 'clients'>,
  terms: ClientTerms,
): Promise<void> => {
  const { clientId } = terms;
  const desired = metadataOf(terms);
  const metadata = { ...desired, metadata: { console: fingerprintOf(desired, terms) } };
  const find = () =>
    clients.get(clientId).catch((error: unknown) => {
      if (isError(error, 'not_found')) return undefined;
      throw error;
    });
  const found = await find();
  if (found === undefined) {
    try {
      await clients.create(metadata);
      return;
    } catch (error) {
      // Another process was faster, with the same terms.
      if (!isError(error, 'conflict')) throw error;
    }
  }
  const { client_id: _, ...changes } = metadata;
  const registered = found?.metadata as { readonly console?: unknown } | undefined;
  if (found !== undefined && registered?.console !== metadata.metadata.console) await clients.update(clientId, changes);
};
