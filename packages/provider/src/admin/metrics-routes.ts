import type { HttpResponse, Route } from '../http/types.ts';

export interface MetricsDependencies {
  /** The exposition format of Prometheus, with its Content-Type. */
  readonly renderMetrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

const answer = async ({ renderMetrics }: MetricsDependencies): Promise<HttpResponse> => {
  const { contentType, text } = await renderMetrics();
  return { status: 200, headers: { 'Content-Type': contentType }, body: text };
};

/** For Prometheus, which can be given the admin token (`authorization` in its configuration). */
export const metricsRoutes = (deps: MetricsDependencies): readonly Route[] => [
  { method: 'GET', path: '/admin/metrics/prometheus', handle: () => answer(deps) },
];
