import type { Write } from '@carnet/adapter-contract';
import { isCurrent, isForAudience, readJws, type UnverifiedJws } from '@carnet/signer-contract/jws';
import { type Clock, clockSkewSeconds } from '../clock.ts';
import { invalidRequest, OAuthError } from '../oauth-error.ts';
import { assertionAudiences, type EndpointOptions } from './client-endpoints.ts';
import { isSignedByClient } from './client-keys.ts';
import type { ProviderClient, ProviderClients } from './clients.ts';
import { clientAlgorithms } from './configuration.ts';
import type { FeaturesConfig } from './features/config.ts';
import { problemOfTimes } from './features/fapi.ts';
import { replayClaim } from './replay.ts';

/** A client that was authenticated. */
export interface AskedClient {
  readonly client: ProviderClient;
  /** The claim that lets a client assertion be used once (RFC 7523, section 3). Commit it, even if the request fails. */
  readonly proofs: readonly Write[];
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Seconds: how far ahead an assertion may expire, because its `jti` is remembered until then. */
const maxAssertionSeconds = 86_400;

const refusal = (): OAuthError => new OAuthError('invalid_client', 'client authentication failed', { status: 401 });

const openAssertion = (params: URLSearchParams): UnverifiedJws => {
  const type = params.get('client_assertion_type');
  const jws = readJws(params.get('client_assertion') ?? '');
  if (jws === undefined) throw invalidRequest('invalid client_assertion format');
  if (!jws.claims.sub) throw refusal();
  if (!type) throw invalidRequest('client_assertion_type must be provided');
  if (type !== assertionType) throw invalidRequest(`client_assertion_type must have value ${assertionType}`);
  return jws;
};

/** Authenticates clients by JWTs that they have signed (RFC 7523, sections 2.2 and 3): `private_key_jwt`. */
export const createAuthenticateByAssertion = (
  clients: Pick<ProviderClients, 'find'>,
  { options, now }: Clock & { readonly options: EndpointOptions & { readonly features: FeaturesConfig } },
) => {
  const { issuer, features } = options;
  const audiences = assertionAudiences(options);
  const algorithms: readonly unknown[] = clientAlgorithms(options);

  const isValid = ({ header: { alg }, claims }: UnverifiedJws, { clientId, clientAuthSigningAlg }: ProviderClient) => {
    const { iss, jti, aud, exp } = claims;
    const isAccepted = clientAuthSigningAlg ? alg === clientAuthSigningAlg : algorithms.includes(alg);
    if (!isAccepted || iss !== clientId || typeof jti !== 'string' || jti === '') return false;
    // FAPI 2.0, section 5.3.2.1, 8: the issuer, as a string. A list may also name another server.
    if (features.fapi.profile === '2.0' ? aud !== issuer : !isForAudience(claims, (one) => audiences.has(one)))
      return false;
    const seconds = Math.floor(now() / 1000);
    if (!isCurrent(claims, seconds, clockSkewSeconds) || problemOfTimes(features, claims, now())) return false;
    return Number(exp) > 0 && Number(exp) <= seconds + maxAssertionSeconds + clockSkewSeconds;
  };

  /** @throws {OAuthError} `invalid_client`, `invalid_request` */
  return async (
    _route: string,
    { params }: { readonly params: URLSearchParams },
    meet: (client: ProviderClient) => void,
  ): Promise<AskedClient> => {
    const jws = openAssertion(params);
    const { sub, jti, exp } = jws.claims;
    if (params.get('client_id') && params.get('client_id') !== sub) throw invalidRequest('client_id mismatch');
    const client = await clients.find(sub);
    if (client === undefined) throw refusal();
    meet(client);
    if (client.clientAuthMethod !== 'private_key_jwt' || !isValid(jws, client)) throw refusal();
    if (!(await isSignedByClient(jws, client))) throw refusal();
    return { client, proofs: [replayClaim(client.clientId, jti, Number(exp) + clockSkewSeconds)] };
  };
};
