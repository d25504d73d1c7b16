import { z } from 'zod';
import type { Route } from '../http/types.ts';

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
