import { isIP } from 'node:net';
import type { Agent, Dispatcher } from 'undici';
import { type Allowed, readAllowed } from './allowed.ts';
import { createCheckedLookup, PrivateAddressError, type Resolve, resolveBySystem } from './checked-lookup.ts';
import type { OutboundConfig } from './config.ts';
import { OutboundError, type OutboundFailure, type OutboundPurpose } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';

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

type Undici = typeof import('undici');

interface Route {
  /** Created for the first request. @throws TypeError after it was closed */
  dispatcher(undici: Undici): Agent;
  close(): Promise<void>;
  /** Checks hosts that are IP addresses, for which no name is resolved. */
  readonly mayConnect: (address: string) => boolean;
}

/** Three agents, by the trust in the address. */
const createRoutes = (allowed: Allowed, { resolve = resolveBySystem, ca, timeoutMs }: OutboundOptions) => {
  const route = (mayConnect: Route['mayConnect']): Route => {
    const lookup = createCheckedLookup(resolve, mayConnect);
    const options = { connections: connectionsPerOrigin, connect: { lookup, ca, timeout: timeoutMs } };
    let agent: Agent | undefined;
    let isClosed = false;
    return {
      mayConnect,
      dispatcher: (undici) => {
        if (isClosed) throw new TypeError('the outbound client is closed');
        agent ??= new undici.Agent(options);
        return agent;
      },
      close: async () => {
        isClosed = true;
        await agent?.destroy();
      },
    };
  };
  return {
    named: route(() => true),
    https: route((address) => isPublicAddress(address) || allowed.address(address)),
    http: route((address) => allowed.address(address)),
  };
};

const parseTarget = ({ url, purpose }: OutboundRequest): URL => {
  const target = URL.canParse(url) ? new URL(url) : undefined;
  const isCallable = target !== undefined && /^https?:$/.test(target.protocol) && !target.username && !target.password;
  if (!isCallable) throw new OutboundError({ purpose, host: '' }, 'invalid_url');
  return target;
};

const failureOf = (error: unknown): OutboundFailure =>
  error instanceof PrivateAddressError ? 'private_address' : 'unreachable';

class TooLargeError extends Error {}

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
  const stopped = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
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

/** Chooses the route of a request. */
const createRouting = (options: OutboundOptions) => {
  const allowed = readAllowed([...options.allow, ...(options.allowLoopback ? loopback : [])]);
  const hooks = new Set((options.hooks ?? []).map((url) => new URL(url).href));
  const routes = createRoutes(allowed, options);
  // URLs of clients have another purpose: a client can reach the host of a hook only if `allow` lists it.
  const isHook = ({ href }: URL, purpose: OutboundPurpose): boolean => purpose === 'hook' && hooks.has(href);
  return {
    routeFor: (target: URL, purpose: OutboundPurpose): Route => {
      if (allowed.host(target) || isHook(target, purpose)) return routes.named;
      const isHttp = target.protocol === 'http:';
      const route = isHttp ? routes.http : routes.https;
      const literal = target.hostname.replace(/^\[|\]$/g, '');
      if (isIP(literal) === 0 || route.mayConnect(literal)) return route;
      throw new OutboundError({ purpose, host: target.host }, isHttp ? 'plain_http' : 'private_address');
    },
    close: async () => void (await Promise.all(Object.values(routes).map((route) => route.close()))),
  };
};

/**
 * The only client for requests to URLs that other parties choose: https at a public address, or the hosts of `allow`;
 * no redirects, no proxy, no compression, and limits of time and size. Safe against names that change their address,
 * because the lookup of the socket decides (`createCheckedLookup`).
 */
export const createOutboundClient = (options: OutboundOptions): OutboundClient => {
  const { routeFor, close } = createRouting(options);

  const exchange = async (target: URL, request: OutboundRequest): Promise<OutboundResponse> => {
    const { purpose, method = 'GET', body, maxBytes = options.maxBytes, timeoutMs = options.timeoutMs } = request;
    const route = routeFor(target, purpose);
    const clock = startClock(timeoutMs, request.signal);
    try {
      // Imported here, because most processes never send an outbound request.
      const undici = await import('undici');
      const answer = await clock.limit(
        undici.request(target, {
          dispatcher: route.dispatcher(undici),
          method,
          body,
          signal: clock.signal,
          headers: { 'user-agent': 'carnet', ...request.headers, 'accept-encoding': 'identity' },
        }),
      );
      const text = await readLimited(answer.body, maxBytes);
      return { status: answer.statusCode, headers: toHeaders(answer.headers), body: text };
    } catch (error) {
      const reason = clock.reason() ?? (error instanceof TooLargeError ? 'too_large' : failureOf(error));
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
