import { z } from 'zod';
import { openApiDocument } from '../http/openapi.ts';
import type { HttpResponse, Route } from '../http/types.ts';

export interface HealthDependencies {
  /** The problems of parts that are not ready, by name. Empty if all are ready. */
  readonly ready: () => Promise<Readonly<Record<string, string>>>;
  readonly version: string;
  /** The state of each user directory. Absent: no directories. */
  readonly directories?: () => Readonly<Record<string, string>>;
}

const fine: HttpResponse = { status: 200, body: { status: 'ok' } };

const healthy = z.strictObject({ status: z.literal('ok') }).meta({ id: 'HealthStatus' });

const readyAnswer = healthy
  .extend({
    directories: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'The state of each user directory at its last check. A directory that fails does not change the status.',
      ),
  })
  .meta({ id: 'ReadyStatus' });

const notReady = z.strictObject({ errors: z.record(z.string(), z.string()) });
const versionAnswer = z.strictObject({ version: z.string() });
const openApiAnswer = z.looseObject({ openapi: z.string() });

/** Liveness, readiness and version, the same on either listener. Probes carry no token. */
export const healthRoutes = ({ ready, version, directories }: HealthDependencies, prefix = ''): readonly Route[] => [
  {
    method: 'GET',
    path: `${prefix}/health/alive`,
    isOpen: true,
    operationId: 'isAlive',
    summary: 'Check whether the process is alive.',
    answers: { 200: healthy },
    handle: () => fine,
  },
  {
    method: 'GET',
    path: `${prefix}/health/ready`,
    isOpen: true,
    operationId: 'isReady',
    summary: 'Check whether the store answers, is fit for use and accepts commits.',
    answers: { 200: readyAnswer, 503: notReady },
    handle: async () => {
      const errors = await ready();
      if (Object.keys(errors).length > 0) return { status: 503, body: { errors } };
      return directories === undefined ? fine : { status: 200, body: { status: 'ok', directories: directories() } };
    },
  },
  {
    method: 'GET',
    path: `${prefix}/version`,
    operationId: 'getVersion',
    summary: 'Get the version of Carnet.',
    answers: { 200: versionAnswer },
    handle: () => ({ status: 200, body: { version } }),
  },
];

export interface MetricsDependencies {
  /** The exposition format of Prometheus, with its Content-Type. */
  readonly renderMetrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

/** For Prometheus, which can be given a token with the right `metrics` (`authorization` in its configuration). */
export const metricsRoutes = (
  { renderMetrics }: MetricsDependencies,
  path = '/admin/metrics/prometheus',
): readonly Route[] => [
  {
    method: 'GET',
    path,
    operationId: 'getPrometheusMetrics',
    summary: 'Get the metrics of all processes in the Prometheus text format.',
    answers: { 200: z.string() },
    handle: async () => {
      const { contentType, text } = await renderMetrics();
      return { status: 200, headers: { 'Content-Type': contentType }, body: text };
    },
  },
];

/** GET /admin/openapi.json: the document of these routes and of itself. They are listed again for it, so that none is kept. */
export const withOpenApi = (list: () => readonly Route[], version: string): readonly Route[] => {
  let body: object | undefined;
  const route: Route = {
    method: 'GET',
    path: '/admin/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Get this OpenAPI document.',
    answers: { 200: openApiAnswer },
    handle: () => {
      body ??= openApiDocument([...list(), route], {
        title: 'Carnet admin API',
        version,
        description:
          'Clients, tokens, sessions and keys, and the headless login and consent API. Every path is also served without the prefix /admin.',
      });
      return { status: 200, body };
    },
  };
  return [...list(), route];
};
