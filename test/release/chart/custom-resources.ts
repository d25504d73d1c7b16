import { z } from 'zod';
import type { KubernetesObject } from './objects.ts';

const metadata = z.strictObject({
  name: z.string(),
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()).optional(),
});

/**
 * The members that the chart uses of two custom resources, for which Kubernetes has no schemas. Written by hand from the
 * references of the Gateway API v1 and of the Prometheus operator.
 */
const schemas: Readonly<Record<string, z.ZodType>> = {
  HTTPRoute: z.strictObject({
    apiVersion: z.literal('gateway.networking.k8s.io/v1'),
    kind: z.literal('HTTPRoute'),
    metadata,
    spec: z.strictObject({
      parentRefs: z.array(z.strictObject({ name: z.string(), namespace: z.string().optional() })).min(1),
      hostnames: z.array(z.string().regex(/^[a-z0-9.-]+$/)).min(1),
      rules: z
        .array(
          z.strictObject({
            matches: z.array(
              z.strictObject({
                path: z.strictObject({ type: z.enum(['Exact', 'PathPrefix']), value: z.string().startsWith('/') }),
              }),
            ),
            backendRefs: z.array(z.strictObject({ name: z.string(), port: z.int() })).min(1),
          }),
        )
        .max(16),
    }),
  }),
  ServiceMonitor: z.strictObject({
    apiVersion: z.literal('monitoring.coreos.com/v1'),
    kind: z.literal('ServiceMonitor'),
    metadata,
    spec: z.strictObject({
      selector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
      endpoints: z.array(
        z.strictObject({
          port: z.string(),
          path: z.literal('/admin/metrics/prometheus'),
          interval: z.string().regex(/^\d+[smh]$/),
          scrapeTimeout: z.string().regex(/^\d+[smh]$/),
          authorization: z.strictObject({ credentials: z.strictObject({ name: z.string(), key: z.string() }) }),
        }),
      ),
    }),
  }),
};

/** The problems of an HTTPRoute or a ServiceMonitor. Other objects have none. */
export const customProblems = (object: KubernetesObject): readonly string[] => {
  const issues = schemas[object.kind]?.safeParse(object).error?.issues ?? [];
  return issues.map(({ path, message }) => `${object.kind}: ${path.join('.')}: ${message}`);
};
