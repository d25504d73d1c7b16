import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { StorageAdapter, Write } from '@carnet/adapter-contract';
import type { Middleware } from 'koa';
import type { Provider } from 'oidc-provider';
import stepsOf from 'oidc-provider/lib/actions/authorization/index.js';
import clientAuth, { getClientAuthParams } from 'oidc-provider/lib/shared/client_auth.js';
import { urlencoded as parseBody } from 'oidc-provider/lib/shared/selective_body.js';
import type { HttpResponse } from '../http/types.ts';
import { createAskedContext, runSteps } from './asked-context.ts';
import type { ProviderClient, ProviderClients } from './clients.ts';
import type { Params } from './request-limits.ts';
import { attachState } from './request-state.ts';
import { stringParams } from './string-params.ts';

/** A POST request about which oidc-provider is asked: its headers and connection, and its form. */
interface AskedRequest {
  readonly message: IncomingMessage;
  readonly params: Params;
}

/** A client that was authenticated. */
export interface AskedClient {
  readonly client: ProviderClient;
  /** The claim that lets a client assertion be used once (RFC 7523, section 3). Commit it, even if the request fails. */
  readonly proofs: readonly Write[];
}

/** The questions to oidc-provider. It answers with values: it writes no response, and nothing to the store. */
export interface Ask {
  /** @throws oidc-provider's `InvalidClientMetadata` for a client that needs a feature that is switched off */
  findClient(id: string): Promise<ProviderClient | undefined>;
  /**
   * Authenticates a client by an assertion or a certificate.
   *
   * @param meet called as soon as the client is known, before it is authenticated. It throws to refuse the request.
   * @throws {OAuthError} `invalid_client`, `invalid_request`
   */
  authenticate(route: string, request: AskedRequest, meet: (client: ProviderClient) => void): Promise<AskedClient>;
  /** The parameters of a valid request of an authenticated client, or of its request object. @throws {OAuthError} */
  validate(route: string, request: AskedRequest, client: ProviderClient): Promise<Readonly<Record<string, string>>>;
  /**
   * The response to a valid pushed authorization request, and its record.
   *
   * @param use called with the claim of its DPoP proof, which is used up even if the request is refused
   * @throws {OAuthError}
   */
  push(
    request: AskedRequest,
    client: ProviderClient,
    use: (claim: Write) => void,
  ): Promise<{ readonly response: HttpResponse; readonly writes: readonly Write[] }>;
}

const [refuseRepeated, , authenticateClient] = clientAuth;

/** Steps that have been done: the form was read, and the client is authenticated. */
const done: ReadonlySet<Middleware> = new Set([parseBody, ...clientAuth]);

const isReplayClaim = (write: Write): boolean => write.type === 'claim' && write.record.kind === 'replay';

export const createAsk = (
  provider: Provider,
  clients: Pick<ProviderClients, 'find'>,
  { adapter }: { readonly adapter: Pick<StorageAdapter, 'read' | 'commit'> },
): Ask => {
  const open = (route: string, { message, params }: AskedRequest) => {
    const asked = createAskedContext(provider, route, message);
    const { oidc } = asked.context;
    const body = parse(new URLSearchParams([...params]).toString());
    Object.assign(oidc, { body });
    return { asked, oidc, body, state: attachState(asked.context, adapter) };
  };

  /** The steps for a client that is authenticated. */
  const openFor = (route: string, request: AskedRequest, client: ProviderClient) => {
    const opened = open(route, request);
    opened.oidc.entity('Client', client);
    return { ...opened, steps: stepsOf(route).filter((step) => !done.has(step)) };
  };

  return {
    findClient: clients.find,
    async authenticate(route, request, meet) {
      const { asked, oidc, body, state } = open(route, request);
      const params = [...getClientAuthParams(asked.context)].map((name) => [name, body[name] || undefined]);
      Object.assign(oidc, { params: Object.fromEntries(params) });
      (oidc as unknown as EventEmitter).once('assign.client', (_ctx, client: ProviderClient) => meet(client));
      await runSteps(asked, state, [refuseRepeated, authenticateClient]);
      return { client: oidc.client as ProviderClient, proofs: state.uow.writes() };
    },
    async validate(route, request, client) {
      const { asked, oidc, state, steps } = openFor(route, request, client);
      await runSteps(asked, state, steps.slice(0, -1));
      // The authenticated client, because a request object need not repeat `client_id` as a claim.
      return { ...stringParams(oidc.params ?? {}), client_id: client.clientId };
    },
    async push(request, client, use) {
      const { asked, state, steps } = openFor('pushed_authorization_request', request, client);
      try {
        await runSteps(asked, state, steps);
      } finally {
        for (const write of state.uow.writes()) if (isReplayClaim(write)) use(write);
      }
      const writes = state.uow.writes().filter((write) => !isReplayClaim(write));
      return { response: { status: 201, headers: asked.headers, body: asked.context.body as object }, writes };
    },
  };
};
