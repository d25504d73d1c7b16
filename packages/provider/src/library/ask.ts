import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { readJws, type UnverifiedJws } from '@carnet/signer-contract/jws';
import type { Provider } from 'oidc-provider';
import openObject from 'oidc-provider/lib/actions/authorization/process_request_object.js';
import { assembleAuthorizationParams as assembleParams } from 'oidc-provider/lib/actions/authorization/request_parameters.js';
import clientAuth from 'oidc-provider/lib/shared/client_auth.js';
import { OAuthError } from '../oauth-error.ts';
import { createAskedContext, runSteps } from './asked-context.ts';
import { type AskedClient, createAuthenticateByAssertion } from './client-assertion.ts';
import { isSignedByClient } from './client-keys.ts';
import { type ProviderClient, type ProviderClients, recordOf } from './clients.ts';
import { clientAlgorithms } from './configuration.ts';

/** A POST request about which oidc-provider is asked: its headers and connection, and its form. */
export interface AskedRequest {
  readonly message: IncomingMessage;
  readonly params: URLSearchParams;
}

const [, , authenticateClient] = clientAuth;

/** The parameters that are a single text. */
const stringParams = (params: object): Record<string, string> =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

const createOpenRequestObject = (provider: Provider, algorithms: readonly unknown[]) => {
  /** The problem of a request object that the client has not signed, or not with the algorithm it is registered for. */
  const problemOf = async (route: string, jws: UnverifiedJws | undefined, client: ProviderClient) => {
    const isBackchannel = route === 'backchannel_authentication';
    const { metadata } = recordOf(client);
    const registered = isBackchannel
      ? metadata.backchannel_authentication_request_signing_alg
      : metadata.request_object_signing_alg;
    if (registered === 'none') return 'the client is registered for unsigned request objects, which are not accepted';
    if (!algorithms.includes(jws?.header.alg)) return 'unsupported signed request alg';
    if (registered && jws?.header.alg !== registered)
      return 'the preregistered alg must be used in request or request_uri';
    return jws && (await isSignedByClient(jws, client)) ? undefined : 'could not validate Request Object';
  };

  /** The parameters of a request object (RFC 9101, section 6), which the client of the request has signed. */
  return async (route: string, { message, params: sent }: AskedRequest, client: ProviderClient) => {
    const asked = createAskedContext(provider, route, message);
    const { oidc } = asked;
    const query = parse(sent.toString());
    const jws = readJws(String(query.request));
    Object.assign(asked, { query });
    Object.assign(oidc, { body: query });
    oidc.entity('Client', client);
    // oidc-provider checks the claims, as for an object that was verified when it was pushed. Carnet verifies the signature.
    oidc.entity('PushedAuthorizationRequest', {});
    const named: Record<string, unknown> = {};
    const keepNamed = () => Object.assign(named, oidc.params);
    const verify = async () => {
      const problem = await problemOf(route, jws, client);
      if (problem === undefined) return;
      // An object that is not verified provides only the parameters that determine how the refusal is sent.
      const { state, response_mode, response_type } = { ...named, ...stringParams(oidc.params ?? {}) };
      Object.assign(oidc.params ?? {}, named, { state, response_mode, response_type });
      throw new OAuthError('invalid_request_object', problem);
    };
    const steps = [assembleParams, keepNamed, openObject, verify];
    const refusal = await runSteps(asked, steps).catch((error: unknown) => {
      if (error instanceof OAuthError) return error;
      throw error;
    });
    const { resource, ...params } = oidc.params ?? {};
    return {
      /** If the object is refused: the parameters that determine where the refusal is sent. */
      params: stringParams(params),
      resources: [resource ?? []].flat().map(String),
      /** All claims. Empty if the object is refused. */
      claims: (!refusal && jws?.claims) || {},
      refusal: refusal ?? undefined,
    };
  };
};

/** The questions to oidc-provider, and the checks that Carnet does itself. They return values: no response and no record is written. */
export const createAsk = (
  provider: Provider,
  clients: Pick<ProviderClients, 'find'>,
  deps: Parameters<typeof createAuthenticateByAssertion>[1],
) => ({
  /** @throws oidc-provider's `InvalidClientMetadata` for a client that needs a feature that is switched off */
  findClient: clients.find,
  authenticateByAssertion: createAuthenticateByAssertion(clients, deps),
  /**
   * Authenticates a client by a certificate.
   *
   * @param meet called as soon as the client is known, before it is authenticated. It throws to refuse the request.
   * @throws {OAuthError} `invalid_client`, `invalid_request`
   */
  async authenticate(
    route: string,
    { message, params }: AskedRequest,
    meet: (client: ProviderClient) => void,
  ): Promise<AskedClient> {
    const asked = createAskedContext(provider, route, message);
    const { oidc } = asked;
    Object.assign(oidc, { params: { client_id: params.get('client_id') || undefined } });
    (oidc as unknown as EventEmitter).once('assign.client', (_ctx, client: ProviderClient) => meet(client));
    await runSteps(asked, [authenticateClient]);
    return { client: oidc.client as ProviderClient, proofs: [] };
  },
  openRequestObject: createOpenRequestObject(provider, clientAlgorithms(deps.options)),
});

export type Ask = ReturnType<typeof createAsk>;
