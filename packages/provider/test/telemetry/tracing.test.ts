import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerBeforeTests, startBeforeTests } from '../before-tests.ts';
import { secretsIn } from '../leaks.ts';
import { login } from '../login.ts';

const exporter = new InMemorySpanExporter();
beforeAll(async () => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => {
  for (const api of [trace, context, propagation]) api.disable();
});
const instance = startBeforeTests();
const client = registerBeforeTests(instance, 'shop');

const named = (name: string): ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.name === name);

it('has a span of each request, and in it those of the store', async () => {
  exporter.reset();
  await login(instance, client);
  const [request] = named('POST /oauth2/token');
  expect(request?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/oauth2/token',
    'http.response.status_code': 200,
  });
  const [commit] = named('store commit');
  expect(commit?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  expect(named('PUT /admin/oauth2/auth/requests/login/accept')).toHaveLength(1);
  const said = exporter.getFinishedSpans().map(({ name, attributes, events }) => ({ name, attributes, events }));
  expect(secretsIn(JSON.stringify(said))).toEqual([]);
});
