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
interface AskedRequest {
  readonly message: IncomingMessage;
  readonly params: URLSearchParams;
}

/** A client that was authenticated. */
export interface AskedClient {
  readonly client: ProviderClient;
  /** The claim that lets a client assertion be used once (RFC 7523, section 3). Commit it, even if the request fails. */
  readonly proofs: readonly Write[];
}

export interface RequestObject {
  /** If it is refused: the parameters that say to whom. */
  readonly params: Readonly<Record<string, string>>;
  readonly resources: readonly string[];
  /** All claims, after the request object was verified. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly refusal: OAuthError | undefined;
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
  /** The parameters of a request object (RFC 9101, section 6), which the client of the request has signed. */
  openRequestObject(route: string, request: AskedRequest, client: ProviderClient): Promise<RequestObject>;
}

const [refuseRepeated, , authenticateClient] = clientAuth;

/** The parameters that are a single text. */
const stringParams = (params: object): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

export const createAsk = (provider: Provider, clients: Pick<ProviderClients, 'find'>): Ask => {
  const open = (route: string, { message, params }: AskedRequest) => {
    const asked = createAskedContext(provider, route, message);
    const { oidc } = asked.context;
    const body = parse(params.toString());
    Object.assign(oidc, { body });
    return { asked, oidc, body, findings: findingsOf(asked.context) };
  };

  return {
    findClient: clients.find,
    async authenticate(route, request, meet) {
      const { asked, oidc, body, findings } = open(route, request);
      const params = [...getClientAuthParams(asked.context)].map((name) => [name, body[name] || undefined]);
      Object.assign(oidc, { params: Object.fromEntries(params) });
      (oidc as unknown as EventEmitter).once('assign.client', (_ctx, client: ProviderClient) => meet(client));
      await runSteps(asked, [refuseRepeated, authenticateClient]);
      return { client: oidc.client as ProviderClient, proofs: findings.proofs };
    },
    async openRequestObject(route, request, client) {
      const { asked, oidc, body, findings } = open(route, request);
      Object.assign(asked.context, { query: body });
      oidc.entity('Client', client);
      const refusal = await runSteps(asked, [assembleParams, openObject]).catch((error: unknown) => {
        if (error instanceof OAuthError) return error;
        throw error;
      });
      const { resource, ...params } = oidc.params ?? {};
      const resources = [resource ?? []].flat().map(String);
      const claims = findings.requestObject ?? {};
      return { params: stringParams(params), resources, claims, refusal: refusal ?? undefined };
    },
  };
};
