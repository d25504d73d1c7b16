import type { Attributes, Span } from '@opentelemetry/api';
import { version } from '../version.ts';

type Api = typeof import('@opentelemetry/api');

export interface SpanOptions {
  readonly name: string;
  readonly kind: 'server' | 'client';
  readonly attributes: Attributes;
  /** The headers of a request that may name the span it belongs to (W3C Trace Context). */
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** Spans of OpenTelemetry, for a program that has set up an SDK; otherwise calls go straight through. */
export interface Tracing {
  /** Whether a tracer records spans. */
  readonly isActive: boolean;
  /** Runs `call` in a span. `attributesOf` adds attributes of the result. An error is recorded by its name. */
  span<T>(options: SpanOptions, call: () => Promise<T>, attributesOf?: (result: T) => Attributes): Promise<T>;
}

const none: Tracing = { isActive: false, span: (_options, call) => call() };

const fail = (api: Api, span: Span, error: unknown): void => {
  // Only the name: a message may contain what the log would mask.
  const name = error instanceof Error ? error.name : '_OTHER';
  span.setAttribute('error.type', name);
  span.setStatus({ code: api.SpanStatusCode.ERROR, message: name });
};

const create = (api: Api): Tracing => {
  const tracer = api.trace.getTracer('@carnet/provider', version);
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT };
  return {
    isActive: true,
    span: ({ name, kind, attributes, headers }, call, attributesOf) => {
      const parent = headers ? api.propagation.extract(api.context.active(), headers) : api.context.active();
      return tracer.startActiveSpan(name, { kind: kinds[kind], attributes }, parent, async (span) => {
        try {
          const result = await call();
          if (attributesOf) span.setAttributes(attributesOf(result));
          return result;
        } catch (error) {
          fail(api, span, error);
          throw error;
        } finally {
          span.end();
        }
      });
    },
  };
};

/** Where every 1.x of `@opentelemetry/api` keeps what an SDK has set up, so that all copies of it share that. */
const globalApi = Symbol.for('opentelemetry.js.api.1');

/**
 * Spans, if the program has `@opentelemetry/api` and has set up an SDK before the provider is created (as its
 * documentation says to); whether it has is asked once.
 */
export const openTracing = async (): Promise<Tracing> => {
  // Its hundred modules are not loaded to hear that there is no SDK.
  if (!Object.hasOwn(globalThis, globalApi)) return none;
  const api = await import('@opentelemetry/api').catch(() => undefined);
  if (api === undefined) return none;
  const provider = api.trace.getTracerProvider() as { getDelegate?: () => object };
  const delegate = provider.getDelegate?.() ?? provider;
  return delegate.constructor.name === 'NoopTracerProvider' ? none : create(api);
};
