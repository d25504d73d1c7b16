import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Grant, TokenParameters } from '../grants/grant.ts';
import { createRequestStore, type StoreAccess } from '../grants/request-store.ts';
import { OAuthError } from '../oauth-error.ts';
import type { UndoneBy } from '../storage/compose.ts';
import type { Logger } from '../telemetry/logger.ts';
import { recordOf } from './clients.ts';
import type { ProveKeys } from './proven-keys.ts';
import { type RequestState, rememberFailure, stateOf } from './request-state.ts';

interface GrantTypeDependencies {
  readonly proveKeys: ProveKeys;
  readonly undoneBy: UndoneBy;
  readonly logger: Pick<Logger, 'info'>;
}

/** The parameters of the form. oidc-provider has refused forms that repeat other parameters than `repeatable`. */
const parametersOf = ({ oidc }: KoaContextWithOIDC): TokenParameters => {
  const { body = {} } = oidc as unknown as { readonly body?: Readonly<Record<string, unknown>> };
  const all = (name: string) => [body[name] ?? []].flat().map(String).filter(Boolean);
  return { all, get: (name) => all(name)[0] };
};

const accessOf = ({ uow }: RequestState): StoreAccess => ({
  read: (keys) => Promise.all(keys.map((key) => uow.read(key))),
  gathered: uow.writes,
  commit(writes) {
    for (const write of writes) uow.write(write);
    return uow.commit('succeeded');
  },
});

const answer = async (ctx: KoaContextWithOIDC, grant: Grant, deps: GrantTypeDependencies): Promise<void> => {
  const { client } = ctx.oidc;
  if (client === undefined) throw new TypeError('a token request without a client');
  const state = stateOf(ctx);
  const known: { subject?: string } = {};
  try {
    const { keys, proof } = await deps.proveKeys(ctx, client.clientId);
    const store = createRequestStore({ ...deps, access: accessOf(state), proof });
    const parameters = parametersOf(ctx);
    const request = { client, record: recordOf(client), parameters, keys, store, known };
    ctx.body = await rememberFailure(state, () => grant.issue(request));
  } catch (error) {
    if (error instanceof OAuthError && error.status === 503) ctx.set('Retry-After', '1');
    throw error;
  } finally {
    // For the audit record.
    if (known.subject !== undefined) ctx.oidc.entity('Account', { accountId: known.subject } as never);
  }
};

/** Parameters of the token endpoint that a request may repeat (RFC 8707, section 2; RFC 8693, section 2.1). */
const repeatable = ['resource', 'audience'];

/**
 * Replaces the grant types of oidc-provider by Carnet's. For the token requests that it receives, oidc-provider refuses
 * malformed ones and authenticates the client, and then calls the grant.
 */
export const registerGrants = (
  provider: Provider,
  grants: Readonly<Record<string, Grant>>,
  deps: GrantTypeDependencies,
): void => {
  for (const [name, grant] of Object.entries(grants))
    provider.registerGrantType(
      name,
      (ctx) => answer(ctx as KoaContextWithOIDC, grant, deps),
      [...grant.parameters],
      repeatable,
    );
};
