import { decodeJwt, decodeProtectedHeader } from 'jose';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  skipSubjectCheck,
} from 'openid-client';
import type { ConsoleServer } from '../../../server/console-server.ts';
import type { Trial } from './trial-client.ts';

/** A request to the server with its response, as the page shows them: without codes and tokens. */
export interface Step {
  readonly method: string;
  readonly url: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly status: number;
  readonly response: string;
}

/** A token as it can be shown: decoded, without its signature. Undefined claims: the token is opaque. */
export interface DecodedToken {
  readonly header?: unknown;
  readonly claims?: unknown;
}

/** The result of a trial. The tokens themselves stay in this process. */
export interface Outcome {
  readonly steps: readonly Step[];
  readonly idToken?: DecodedToken;
  readonly accessToken?: DecodedToken;
  readonly hasRefreshToken?: boolean;
  readonly problem?: string;
}

/** Members of requests and responses that must not be shown: who has one of them acts as the user. */
const hidden: ReadonlySet<string> = new Set([
  'code',
  'code_verifier',
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
]);

const shown = (entries: Iterable<[string, unknown]>): Record<string, string> =>
  Object.fromEntries([...entries].map(([name, value]) => [name, hidden.has(name) ? '•••' : String(value)]));

const responseShown = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text, (name, member: unknown) => (hidden.has(name) ? '•••' : member));
    return JSON.stringify(value, null, 2);
  } catch {
    // A signed answer of userinfo is a token, too.
    return '•••';
  }
};

/** Calls the server for the library, and records the requests to its endpoints. */
const createRecorder = ({ fetch }: Pick<ConsoleServer, 'fetch'>, steps: Step[]) => {
  const isDocument = (url: string): boolean => url.includes('/.well-known/');
  return async (
    url: string,
    { body, ...init }: { body?: unknown; method: string; headers: Record<string, string> },
  ): Promise<Response> => {
    const sent = body instanceof URLSearchParams ? body : undefined;
    const response = await fetch(new Request(url, { ...init, ...(sent && { body: sent }) }));
    if (isDocument(url)) return response;
    const text = await response.text();
    const { status, headers } = response;
    steps.push({ method: init.method, url, parameters: shown(sent ?? []), status, response: responseShown(text) });
    return new Response(text, { status, headers });
  };
};

/** The configuration of the library for the copy of the client. */
export const connect = (
  server: Pick<ConsoleServer, 'fetch' | 'issuer'>,
  { clientId, algorithm }: Trial,
  steps: Step[] = [],
): Promise<Configuration> => {
  const issuer = new URL(server.issuer);
  const insecure = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
  const metadata = algorithm === undefined ? undefined : { id_token_signed_response_alg: algorithm };
  return discovery(issuer, clientId, metadata, None(), {
    execute: [...insecure, enableNonRepudiationChecks],
    [customFetch]: createRecorder(server, steps),
  });
};

const decode = (token: string): DecodedToken => {
  try {
    return { header: decodeProtectedHeader(token), claims: decodeJwt(token) };
  } catch {
    return {};
  }
};

/** The message of an error of the library, with the error that the server has sent. */
const problemOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { error: code, error_description: description } = error as { error?: unknown; error_description?: unknown };
  return [error.message, code, description].filter((text) => typeof text === 'string' && text !== '').join(': ');
};

/** Redeems the code and reads userinfo, as a client does. The parameters are those of the redirect URI. */
export const exchange = async (
  server: Pick<ConsoleServer, 'fetch' | 'issuer'>,
  trial: Trial,
  { redirectUri, parameters }: { readonly redirectUri: string; readonly parameters: URLSearchParams },
): Promise<Outcome> => {
  const steps: Step[] = [];
  try {
    const config = await connect(server, trial, steps);
    const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}?${parameters}`), {
      expectedState: trial.state,
      expectedNonce: trial.nonce,
      pkceCodeVerifier: trial.verifier,
    });
    const isOpenId = tokens.id_token !== undefined;
    // A refusal of userinfo is a result, too: its step shows it.
    if (isOpenId) await fetchUserInfo(config, tokens.access_token, skipSubjectCheck).catch(() => undefined);
    return {
      steps,
      accessToken: decode(tokens.access_token),
      ...(isOpenId && { idToken: decode(tokens.id_token ?? '') }),
      hasRefreshToken: tokens.refresh_token !== undefined,
    };
  } catch (error) {
    return { steps, problem: problemOf(error) };
  }
};
