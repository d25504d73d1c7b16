import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import type { Write } from '@carnet/adapter-contract';
import type { Provider } from 'oidc-provider';
import openObject from 'oidc-provider/lib/actions/authorization/process_request_object.js';
import { assembleAuthorizationParams as assembleParams } from 'oidc-provider/lib/actions/authorization/request_parameters.js';
import clientAuth, { getClientAuthParams } from 'oidc-provider/lib/shared/client_auth.js';
import { OAuthError } from '../oauth-error.ts';
import { createAskedContext, findingsOf, runSteps } from './asked-context.ts';
import type { ProviderClient, ProviderClients } from './clients.ts';

/** A POST request about which oidc-provider is asked: its headers and connection, and its form. */
export interface AskedRequest {
  readonly message: IncomingMessage;
  readonly params: URLSearchParams;
}

/** A client that was authenticated. */
export interface AskedClient {
  readonly client: ProviderClient;
  /** The claim that lets a client assertion be used once (RFC 7523, section 3). Commit it, even if the request fails. */
  readonly proofs: readonly Write[];
}

const [refuseRepeated, , authenticateClient] = clientAuth;

/** The parameters that are a single text. */
const stringParams = (params: object): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** The questions to oidc-provider. It answers with values: it writes no response, and nothing to the store. */
export const createAsk = (provider: Provider, clients: Pick<ProviderClients, 'find'>) => {
  const open = (route: string, { message, params }: AskedRequest) => {
    const asked = createAskedContext(provider, route, message);
    const { oidc } = asked.context;
    const body = parse(params.toString());
    Object.assign(asked.context, { query: body });
    Object.assign(oidc, { body });
    return { asked, oidc, body, findings: findingsOf(asked.context) };
  };

  return {
    /** @throws oidc-provider's `InvalidClientMetadata` for a client that needs a feature that is switched off */
    findClient: clients.find,
    /**
     * Authenticates a client by an assertion or a certificate.
     *
     * @param meet called as soon as the client is known, before it is authenticated. It throws to refuse the request.
     * @throws {OAuthError} `invalid_client`, `invalid_request`
     */
    async authenticate(
      route: string,
      request: AskedRequest,
      meet: (client: ProviderClient) => void,
    ): Promise<AskedClient> {
      const { asked, oidc, body, findings } = open(route, request);
      const params = [...getClientAuthParams(asked.context)].map((name) => [name, body[name] || undefined]);
      Object.assign(oidc, { params: Object.fromEntries(params) });
      (oidc as unknown as EventEmitter).once('assign.client', (_ctx, client: ProviderClient) => meet(client));
      await runSteps(asked, [refuseRepeated, authenticateClient]);
      return { client: oidc.client as ProviderClient, proofs: findings.proofs };
    },
    /** The parameters of a request object (RFC 9101, section 6), which the client of the request has signed. */
    async openRequestObject(route: string, request: AskedRequest, client: ProviderClient) {
      const { asked, oidc, findings } = open(route, request);
      oidc.entity('Client', client);
      const refusal = await runSteps(asked, [assembleParams, openObject]).catch((error: unknown) => {
        if (error instanceof OAuthError) return error;
        throw error;
      });
      const { resource, ...params } = oidc.params ?? {};
      return {
        /** If it is refused: the parameters that say to whom. */
        params: stringParams(params),
        resources: [resource ?? []].flat().map(String),
        /** All claims. Without a refusal, they are verified. */
        claims: findings.requestObject ?? {},
        refusal: refusal ?? undefined,
      };
    },
  };
};

export type Ask = ReturnType<typeof createAsk>;
