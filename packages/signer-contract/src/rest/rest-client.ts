import { parseJson } from '@carnet/adapter-contract/kit';
import { type Dispatcher, Pool } from 'undici';
import { SignerUnavailableError } from '../port.ts';

/** One connection for each call that the port allows at once, and some for the lists of keys. */
const connections = 128;

/** Larger than any answer that lists, signs or decrypts. */
const maxAnswerBytes = 1_048_576;

export interface RestRequest {
  readonly method: 'GET' | 'POST';
  /** Begins with a slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** JSON that is sent as it is, in place of `body`: a request whose text is signed. */
  readonly text?: string;
  readonly signal: AbortSignal;
}

export interface RestAnswer {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parsed JSON; undefined if the answer has none. */
  readonly body: unknown;
}

export interface RestClient {
  /**
   * Sends one request. Redirects are not followed: the credential goes to no other host.
   *
   * @throws SignerUnavailableError if there is no whole answer, or the signal is aborted
   */
  send(request: RestRequest): Promise<RestAnswer>;
  close(): Promise<void>;
}

const accept = { accept: 'application/json' };
const acceptAndSend = { ...accept, 'content-type': 'application/json' };

interface Answering {
  readonly signal: AbortSignal;
  resolve(answer: RestAnswer): void;
  reject(error: unknown): void;
}

/** Reads one answer. With a handler a call takes less than half of the CPU time of `request()` and its streams. */
const createHandler = ({ signal, resolve, reject }: Answering): Dispatcher.DispatchHandler => {
  let status = 0;
  let headers: RestAnswer['headers'] = {};
  let size = 0;
  const chunks: Buffer[] = [];
  let stop: (() => void) | undefined;
  const settled = () => stop !== undefined && signal.removeEventListener('abort', stop);
  return {
    onRequestStart(controller) {
      stop = () => controller.abort(signal.reason as Error);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    },
    onResponseStart(_controller, statusCode, responseHeaders) {
      status = statusCode;
      headers = responseHeaders;
    },
    onResponseData(controller, chunk) {
      size += chunk.length;
      if (size > maxAnswerBytes) controller.abort(new Error(`the answer has more than ${maxAnswerBytes} bytes`));
      else chunks.push(chunk);
    },
    onResponseEnd() {
      settled();
      const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      resolve({ status, headers, body: parseJson(bytes.toString()) });
    },
    onResponseError(_controller, error) {
      settled();
      reject(error);
    },
  };
};

/** Opens a client of one origin, with connections that are kept. Nothing is connected yet. */
export const openRestClient = (origin: URL): RestClient => {
  const pool = new Pool(origin.origin, { connections, keepAliveTimeout: 30_000 });
  return {
    async send({ method, path, headers, body, text = body === undefined ? undefined : JSON.stringify(body), signal }) {
      try {
        signal.throwIfAborted();
        return await new Promise<RestAnswer>((resolve, reject) => {
          pool.dispatch(
            {
              method,
              path,
              headers: { ...(text === undefined ? accept : acceptAndSend), ...headers },
              body: text ?? null,
            },
            createHandler({ signal, resolve, reject }),
          );
        });
      } catch (error) {
        const { message } = error as Error;
        throw new SignerUnavailableError(`${origin.host} did not answer: ${message}`, { cause: error });
      }
    },
    // Calls that are under way are ended: the provider no longer waits for them.
    close: () => pool.destroy(),
  };
};
