import { createHash, randomBytes } from 'node:crypto';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';

export interface ProviderRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ProviderResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export type Claims = Readonly<Record<string, unknown>>;

/** The client that the provider knows. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** What one provider does. Parameters that are not listed are refused, so that no request has a member by mistake. */
export interface StandInRules {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly parameters: readonly string[];
  readonly authentication: readonly ('basic' | 'post')[];
  /** Parameters that must have these values. */
  readonly required?: Readonly<Record<string, string>>;
  /** Verifies the secret of the client where it is not the registered one. */
  isSecret?(secret: string): boolean;
  /** The status of a token error. GitHub: 200. */
  readonly errorStatus: number;
  /** The member `error` of a token error. Default: the code. */
  errorOf?(code: string): object;
  /** The members of a token response besides the access token. */
  tokenMembers(grant: Grant, keys: SigningKeys): Claims;
  /** Parameters of the answer besides `code` and `state`. */
  readonly answerParameters: Readonly<Record<string, string>>;
  /** Parameters of the answer about the user. */
  answerAbout?(user: Claims): Readonly<Record<string, string>>;
  /** Other URLs, such as the metadata and the keys. */
  resource(request: ProviderRequest, grants: ReadonlyMap<string, Grant>, keys: SigningKeys): object | undefined;
}

export interface Grant {
  readonly user: Claims;
  readonly nonce: string | undefined;
  readonly challenge: string;
  readonly clientId: string;
}

/** A provider that cannot be reached from here, with real keys. It is as strict as the provider itself. */
export interface IdentityStandIn {
  /** In place of the outgoing requests of Carnet. */
  readonly send: (request: ProviderRequest) => Promise<ProviderResponse>;
  /** The requests that Carnet has sent, as `METHOD url`. */
  readonly requests: readonly string[];
  /** The user signs in at the URL of the authorization request. Returns the query of the callback. */
  authorize(url: string, user: Claims): string;
  /** Other keys sign from now on. */
  changeKeys(): void;
}

const json = (status: number, body: object): ProviderResponse => ({
  status,
  headers: new Headers({ 'content-type': 'application/json; charset=utf-8' }),
  body: JSON.stringify(body),
});

const refuse = (what: string): never => {
  throw new Error(`The stand-in refuses the request: ${what}`);
};

const only = (parameters: URLSearchParams, name: string): string => {
  const [value, ...others] = parameters.getAll(name);
  return value === undefined || others.length > 0 ? refuse(`${name} must be sent once`) : value;
};

/** How the client has authenticated itself; undefined if it has not. */
const authenticationOf = (
  { headers }: ProviderRequest,
  form: URLSearchParams,
  { clientId, clientSecret }: RegisteredClient,
  { isSecret = (secret) => secret === clientSecret }: Pick<StandInRules, 'isSecret'>,
): 'basic' | 'post' | undefined => {
  const [scheme, credentials = ''] = (headers.authorization ?? '').split(' ');
  const [name, secret] = Buffer.from(credentials, 'base64').toString().split(':');
  // RFC 6749, section 2.3.1: both are encoded as in a form.
  const decoded = new URLSearchParams(`name=${name}&secret=${secret}`);
  const isBasic = scheme === 'Basic' && decoded.get('name') === clientId && isSecret(decoded.get('secret') ?? '');
  if (isBasic) return 'basic';
  return form.get('client_id') === clientId && isSecret(form.get('client_secret') ?? '') ? 'post' : undefined;
};

const createAuthorize =
  (client: RegisteredClient, rules: StandInRules, codes: Map<string, Grant>): IdentityStandIn['authorize'] =>
  (url, user) => {
    const { origin, pathname, searchParams: sent } = new URL(url);
    if (`${origin}${pathname}` !== rules.authorizationEndpoint) refuse(`${origin}${pathname} is not its endpoint`);
    const unknown = [...sent.keys()].find((name) => !rules.parameters.includes(name));
    if (unknown !== undefined) refuse(`the parameter ${unknown} is unknown`);
    for (const [name, value] of Object.entries(rules.required ?? {})) if (only(sent, name) !== value) refuse(name);
    if (only(sent, 'client_id') !== client.clientId) refuse('client_id');
    if (only(sent, 'redirect_uri') !== client.redirectUri) refuse('redirect_uri');
    if (only(sent, 'response_type') !== 'code') refuse('response_type');
    if (only(sent, 'code_challenge_method') !== 'S256') refuse('code_challenge_method');
    const challenge = only(sent, 'code_challenge');
    if (!/^[\w-]{43}$/.test(challenge)) refuse('code_challenge');
    const code = randomBytes(16).toString('base64url');
    codes.set(code, { user, challenge, nonce: sent.get('nonce') ?? undefined, clientId: client.clientId });
    const state = only(sent, 'state');
    return new URLSearchParams({ ...rules.answerParameters, code, state, ...rules.answerAbout?.(user) }).toString();
  };

const createRedeem = (
  client: RegisteredClient,
  rules: StandInRules,
  codes: Map<string, Grant>,
  grants: Map<string, Grant>,
) => {
  const error = (code: string) =>
    json(rules.errorStatus, { error: rules.errorOf?.(code) ?? code, error_description: 'secret text' });
  return (request: ProviderRequest, keys: SigningKeys): ProviderResponse => {
    const form = new URLSearchParams(request.body);
    const method = authenticationOf(request, form, client, rules);
    if (method === undefined || !rules.authentication.includes(method)) return error('invalid_client');
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (grant?.challenge !== challenge || form.get('redirect_uri') !== client.redirectUri)
      return error('invalid_grant');
    const token = randomBytes(16).toString('base64url');
    grants.set(token, grant);
    return json(200, { access_token: token, token_type: 'Bearer', ...rules.tokenMembers(grant, keys) });
  };
};

export const createIdentityStandIn = (client: RegisteredClient, rules: StandInRules): IdentityStandIn => {
  const [codes, grants] = [new Map<string, Grant>(), new Map<string, Grant>()];
  const requests: string[] = [];
  const redeem = createRedeem(client, rules, codes, grants);
  let keys = createSigningKeys();
  return {
    requests,
    send: async (request) => {
      requests.push(`${request.method} ${request.url}`);
      if (request.method === 'POST' && request.url === rules.tokenEndpoint) return redeem(request, keys);
      const found = request.method === 'GET' ? rules.resource(request, grants, keys) : undefined;
      return found === undefined ? json(404, {}) : json(200, found);
    },
    authorize: createAuthorize(client, rules, codes),
    changeKeys: () => {
      keys = createSigningKeys();
    },
  };
};
