import { Agent, request } from 'undici';
import type { Answer, HttpPool, Request } from '../users/http-pool.ts';

/**
 * - `refused`: 503 with Retry-After. The client may try again.
 * - `unanswered`: the connection failed, or no answer came in time. The outcome is unknown.
 * - `wrong`: another answer than the expected one.
 */
export type FailureKind = 'refused' | 'unanswered' | 'wrong';

export class RequestFailure extends Error {
  override readonly name = 'RequestFailure';
  readonly kind: FailureKind;
  readonly status: number | undefined;
  constructor(kind: FailureKind, message: string, status?: number) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}

/** As long as a store's call, and a little more. */
const timeoutMs = 12_000;

const listOf = (value: string | string[] | undefined): readonly string[] => (value === undefined ? [] : [value].flat());

/** Called with each request that failed. */
export type OnFailure = (failure: RequestFailure) => void;

/** A client of one origin that classifies failures. */
export const openClient = (origin: string, onFailure: OnFailure): HttpPool => {
  const agent = new Agent({
    connections: 512,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: 2_000 },
  });
  const fail = (kind: FailureKind, message: string, status?: number): never => {
    const failure = new RequestFailure(kind, message, status);
    onFailure(failure);
    throw failure;
  };
  const ask = async ({ method, path, headers = {}, body }: Request): Promise<Answer> => {
    try {
      const response = await request(origin + path, { method, headers, body: body ?? null, dispatcher: agent });
      return {
        status: response.statusCode,
        location: String(response.headers.location ?? ''),
        cookies: listOf(response.headers['set-cookie']),
        body: await response.body.text(),
        hasRetryAfter: response.headers['retry-after'] !== undefined,
      };
    } catch (error) {
      return fail('unanswered', `${method} ${path.split('?', 1)[0]}: ${(error as Error).message}`);
    }
  };
  return {
    async send(sent, ...expected) {
      const answer = await ask(sent);
      if (expected.includes(answer.status)) return answer;
      const kind = answer.status === 503 && answer.hasRetryAfter ? 'refused' : 'wrong';
      const text = `${answer.status} for ${sent.method} ${sent.path.split('?', 1)[0]}: ${answer.body.slice(0, 200)}`;
      return fail(kind, text, answer.status);
    },
    close: () => void agent.destroy(),
  };
};
