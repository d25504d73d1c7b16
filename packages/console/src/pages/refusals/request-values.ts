import type { OAuth2Client } from '@carnet/provider';
import type { Discovery } from '../../server/documents.ts';
import { audiencesOf, readJwt } from './read-jwt.ts';
import type { ComparedValues } from './shown-values.ts';

interface RequestFacts {
  readonly params: URLSearchParams;
  /** The URL without its query; undefined for a query alone. */
  readonly address: string | undefined;
  /** Undefined if it is not registered. */
  readonly client: OAuth2Client | undefined;
  readonly discovery: Discovery;
}

/** The parameters that the server evaluates: those of a request object replace those beside it (RFC 9101, section 6.3). */
const effective = (params: URLSearchParams): URLSearchParams => {
  const claims = readJwt(params.get('request') ?? '')?.claims;
  const found = new URLSearchParams(params);
  for (const [name, value] of Object.entries(claims ?? {})) if (typeof value === 'string') found.set(name, value);
  return found;
};

const objectValues = ({ params, client, discovery }: RequestFacts) => {
  const object = readJwt(params.get('request') ?? '');
  if (object === undefined) return { given: [params.get('request_uri')], expected: client?.request_uris };
  const { header, claims } = object;
  const given = { alg: header.alg, iss: claims.iss, aud: audiencesOf(claims).join(' ') };
  const expected = { alg: client?.request_object_signing_alg, iss: client?.client_id, aud: discovery.issuer };
  const lines = (values: object) =>
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' && value ? `${name}=${value}` : []));
  return { given: lines(given), expected: lines(expected) };
};

const repeatedIn = (params: URLSearchParams): readonly string[] =>
  [...new Set(params.keys())].filter((name) => params.getAll(name).length > 1);

/** The length of each parameter that is longer than most. The text itself may be a secret. */
const lengthsIn = (params: URLSearchParams): readonly string[] =>
  [...params].filter(([, value]) => value.length > 256).map(([name, value]) => `${name}: ${value.length}`);

const hintValues = (params: URLSearchParams, { issuer }: Discovery) => {
  const claims = readJwt(params.get('id_token_hint') ?? '')?.claims;
  if (claims === undefined) return undefined;
  return {
    given: [claims.iss, audiencesOf(claims).join(' ')],
    expected: [issuer, params.get('client_id')],
  };
};

const challengeValues = (params: URLSearchParams) => {
  const challenge = params.get('code_challenge');
  const length = challenge === null ? [] : [`code_challenge: ${challenge.length}`];
  return { given: [params.get('code_challenge_method'), ...length], expected: ['S256', 'code_challenge: 43–128'] };
};

/**
 * The values that the checks of a request compare. `state`, `nonce`, `login_hint`, `claims` and verifiers are not among them: they
 * may identify a user or a flow, and the checks look at their presence and length only.
 */
export const requestValues = (facts: RequestFacts): ComparedValues => {
  const { address, client, discovery } = facts;
  const params = effective(facts.params);
  const all = (name: string): readonly string[] => params.getAll(name);
  const spaced = (name: string): readonly string[] => all(name).flatMap((value) => value.split(' '));
  const present = (...names: readonly string[]): readonly string[] => names.filter((name) => params.has(name));
  return {
    endpoint: { given: [address], expected: [discovery.authorization_endpoint] },
    flow: { given: present('login_verifier', 'consent_verifier') },
    limits: { given: lengthsIn(facts.params) },
    clientId: { given: all('client_id') },
    client: { given: all('client_id'), expected: [client?.client_id] },
    redirectUri: { given: all('redirect_uri'), expected: client?.redirect_uris ?? [] },
    once: { given: repeatedIn(facts.params) },
    requestSource: { given: present('request', 'request_uri') },
    requestObject: objectValues(facts),
    responseTypeOffered: { given: all('response_type'), expected: discovery.response_types_supported },
    responseType: { given: all('response_type'), expected: client?.response_types ?? [] },
    responseMode: { given: all('response_mode'), expected: discovery.response_modes_supported },
    replay: { given: present('nonce', 'state') },
    prompt: { given: all('prompt'), expected: discovery.prompt_values_supported },
    scopeSyntax: { given: all('scope') },
    openid: { given: all('scope'), expected: ['openid'] },
    pkce: challengeValues(params),
    resource: { given: all('resource'), expected: client?.audience },
    hint: hintValues(params, discovery),
    scope: { given: spaced('scope'), expected: client?.scope?.split(' ') },
    audience: { given: spaced('audience'), expected: client?.audience },
    maxAge: { given: all('max_age') },
  };
};
