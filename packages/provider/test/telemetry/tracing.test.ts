import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerClient, type TestClient } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { secretsIn } from '../leaks.ts';
import { login } from '../login.ts';

const exporter = new InMemorySpanExporter();
let instance: Instance;
let client: TestClient;

beforeAll(async () => {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  instance = await start();
  client = await registerClient(instance, 'shop');
});
afterAll(async () => {
  await instance.stop();
  for (const api of [trace, context, propagation]) api.disable();
});

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
