import { type CallOptions, SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';
import { openRestClient, type RestAnswer } from '@carnet/signer-contract/rest';
import type { Authorization, Credentials } from './access-token.ts';

/** The members of an answer. Each is checked where it is used. */
export type Answer = Readonly<Record<string, unknown>>;

export interface GoogleApi {
  /** @throws SignerUnavailableError, SignerUnfitError */
  get(path: string, options: CallOptions): Promise<Answer>;
  /** @throws SignerUnavailableError, SignerUnfitError */
  post(path: string, body: Answer, options: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

interface ApiOptions {
  readonly origin: URL;
  /** Undefined for addresses that need none. */
  readonly credentials?: Credentials;
  /** Ends the message of a refusal: the step that an operator must take. */
  readonly advice: string;
}

const maxReasonLength = 300;

/** Google's description of an error (google.rpc.Status): it names resources and permissions, and has no secret. */
const reasonOf = ({ status, body }: RestAnswer): string => {
  const error = (body as { error?: { status?: unknown; message?: unknown } } | null | undefined)?.error;
  return `${status} ${String(error?.status ?? '')} ${String(error?.message ?? '')}`.slice(0, maxReasonLength).trim();
};

const read = (answer: RestAnswer, { origin, advice }: ApiOptions): Answer => {
  const { status, body } = answer;
  if (status === 200 && typeof body === 'object' && body !== null) return body as Answer;
  const reason = `${origin.host} answered ${reasonOf(answer)}`;
  // 429 is a limit, 499 and 5xx are outages. A 200 without JSON comes from another program.
  const isUnavailable = status === 408 || status === 429 || status === 499 || status >= 500;
  throw isUnavailable ? new SignerUnavailableError(reason) : new SignerUnfitError(`${reason}. ${advice}`);
};

/** Waits for a token no longer than for the call. */
const beforeAbort = async <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> => {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new SignerUnavailableError('No access token from Google within the time of the call.'));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
};

/** Calls one of Google's JSON APIs. */
export const openGoogleApi = (options: ApiOptions): GoogleApi => {
  const { origin, credentials } = options;
  const client = openRestClient(origin);
  const call = async (method: 'GET' | 'POST', path: string, body: Answer | undefined, { signal }: CallOptions) => {
    const send = (headers: Authorization) => client.send({ method, path, headers, body, signal });
    const given = credentials?.authorize() ?? {};
    const headers = given instanceof Promise ? await beforeAbort(given, signal) : given;
    const answer = await send(headers);
    // The token was revoked, or expired earlier than it said: one attempt more, with another one.
    const replacement = answer.status === 401 ? credentials?.replace(headers) : undefined;
    return read(replacement === undefined ? answer : await send(await beforeAbort(replacement, signal)), options);
  };
  return {
    get: (path, callOptions) => call('GET', path, undefined, callOptions),
    post: (path, body, callOptions) => call('POST', path, body, callOptions),
    close: () => client.close(),
  };
};
