import { isIP } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import {
  createCheckedLookup,
  isPublicAddress,
  PrivateAddressError,
  type Resolve,
  readAllowed,
  resolveBySystem,
} from './addresses.ts';
import type { OutboundConfig } from './config.ts';
import { OutboundError, type OutboundFailure, type OutboundPurpose } from './outbound-error.ts';

export interface OutboundRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly purpose: OutboundPurpose;
  /** The time limit of the whole exchange. Default: `outbound.timeoutMs`. */
  readonly timeoutMs?: number;
  /** The size limit of the response body. Default: `outbound.maxBytes`. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Any response. A redirect is returned and not followed. */
export interface OutboundResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface OutboundClient {
  /** @throws OutboundError if there is no response, or the URL may not be called */
  send(request: OutboundRequest): Promise<OutboundResponse>;
  close(): Promise<void>;
}

/** The outcome of a request, for metrics and logs. */
export interface OutboundOutcome {
  readonly purpose: OutboundPurpose;
  readonly host: string;
  readonly result: number | OutboundFailure;
  readonly durationMs: number;
}

export interface OutboundOptions extends OutboundConfig {
  /** Whether loopback may be called, also over http (dev mode). */
  readonly allowLoopback?: boolean;
  /**
   * URLs of the operator. They may be called as hooks at any address. Their hosts are not opened for URLs of clients.
   */
  readonly hooks?: readonly string[];
  readonly report?: (outcome: OutboundOutcome) => void;
  /** The resolver of names. Default: the operating system. */
  readonly resolve?: Resolve;
  /** Certificates to trust, in PEM, instead of those Node trusts (`NODE_EXTRA_CA_CERTS` adds to these). */
  readonly ca?: string;
}

const loopback = ['127.0.0.0/8', '::1/128'];
const connectionsPerOrigin = 32;

const parseTarget = ({ url, purpose }: OutboundRequest): URL => {
  const target = URL.parse(url);
  if (target !== null && /^https?:$/.test(target.protocol) && !target.username && !target.password) return target;
  throw new OutboundError({ purpose, host: '' }, 'invalid_url');
};

class TooLargeError extends Error {}

const failureOf = (error: unknown): OutboundFailure => {
  if (error instanceof TooLargeError) return 'too_large';
  return error instanceof PrivateAddressError ? 'private_address' : 'unreachable';
};

/** Reads the body up to its limit. A longer body is not read further. */
const readLimited = async (body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> => {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new TooLargeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const toHeaders = (raw: Dispatcher.ResponseData['headers']): Headers => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
};

/** One time limit for the lookup, the connection, the headers and a slow body. */
const startClock = (timeoutMs: number, signal?: AbortSignal) => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort('timeout'), timeoutMs);
  const abort = (): void => controller.abort('aborted');
  signal?.addEventListener('abort', abort, { once: true });
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  if (signal?.aborted) abort();
  return {
    signal: controller.signal,
    /** undici checks the signal of a request only after it is connected. */
    limit: <Result>(work: Promise<Result>): Promise<Result> => Promise.race([work, stopped]),
    /** The reason for the abort, if it was aborted. */
    reason: (): OutboundFailure | undefined => controller.signal.reason,
    stop: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
};

type Trust = 'named' | 'https' | 'http';

/** Chooses the agent of a request: there is one for each degree of trust in the address, created for its first request. */
const createAgents = (options: OutboundOptions) => {
  const { resolve = resolveBySystem, ca, timeoutMs } = options;
  const allowed = readAllowed([...options.allow, ...(options.allowLoopback ? loopback : [])]);
  const hooks = new Set((options.hooks ?? []).map((url) => new URL(url).href));
  const mayConnect: Readonly<Record<Trust, (address: string) => boolean>> = {
    named: () => true,
    https: (address) => isPublicAddress(address) || allowed.address(address),
    http: allowed.address,
  };
  const agents = new Map<Trust, Agent>();
  let isClosed = false;
  // URLs of clients have another purpose: a client can reach the host of a hook only if `allow` lists it.
  const isHook = ({ href }: URL, purpose: OutboundPurpose): boolean => purpose === 'hook' && hooks.has(href);

  const trustIn = (target: URL, purpose: OutboundPurpose): Trust => {
    if (allowed.host(target) || isHook(target, purpose)) return 'named';
    const trust = target.protocol === 'http:' ? 'http' : 'https';
    // No name is resolved for a host that is an IP address.
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) === 0 || mayConnect[trust](literal)) return trust;
    throw new OutboundError({ purpose, host: target.host }, trust === 'http' ? 'plain_http' : 'private_address');
  };

  return {
    trustIn,
    /** @throws TypeError after `close` */
    agentFor: (trust: Trust, undici: typeof import('undici')): Agent => {
      if (isClosed) throw new TypeError('the outbound client is closed');
      const found = agents.get(trust);
      if (found !== undefined) return found;
      const lookup = createCheckedLookup(resolve, mayConnect[trust]);
      const connect = { lookup, ca, timeout: timeoutMs };
      const agent = new undici.Agent({ connections: connectionsPerOrigin, connect });
      agents.set(trust, agent);
      return agent;
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
};

/**
 * The only client for requests to URLs that other parties choose: https at a public address, or the hosts of `allow`;
 * no redirects, no proxy, no compression, and limits of time and size. Safe against names that change their address,
 * because the lookup of the socket decides (`createCheckedLookup`).
 */
export const createOutboundClient = (options: OutboundOptions): OutboundClient => {
  const { trustIn, agentFor, close } = createAgents(options);

  const exchange = async (target: URL, request: OutboundRequest): Promise<OutboundResponse> => {
    const { purpose, method = 'GET', body, maxBytes = options.maxBytes, timeoutMs = options.timeoutMs } = request;
    const trust = trustIn(target, purpose);
    const clock = startClock(timeoutMs, request.signal);
    try {
      // Imported here, because most processes never send an outbound request.
      const undici = await import('undici');
      const answer = await clock.limit(
        undici.request(target, {
          dispatcher: agentFor(trust, undici),
          method,
          body,
          signal: clock.signal,
          headers: { 'user-agent': 'carnet', ...request.headers, 'accept-encoding': 'identity' },
        }),
      );
      const text = await readLimited(answer.body, maxBytes);
      return { status: answer.statusCode, headers: toHeaders(answer.headers), body: text };
    } catch (error) {
      const reason = clock.reason() ?? failureOf(error);
      const isPlainName = reason === 'private_address' && target.protocol === 'http:';
      throw new OutboundError({ purpose, host: target.host }, isPlainName ? 'plain_http' : reason, { cause: error });
    } finally {
      clock.stop();
    }
  };

  return {
    async send(request) {
      const started = performance.now();
      const report = (host: string, result: OutboundOutcome['result']): void =>
        options.report?.({ purpose: request.purpose, host, result, durationMs: performance.now() - started });
      try {
        const target = parseTarget(request);
        const response = await exchange(target, request);
        report(target.host, response.status);
        return response;
      } catch (error) {
        if (error instanceof OutboundError) report(error.host, error.reason);
        throw error;
      }
    },
    close,
  };
};
