import { describe, expect, test } from 'vitest';
import { accepted, least } from './cases.ts';
import { isReachable } from './network.ts';
import { containersOf, type KubernetesObject, objectOf, podsOf } from './objects.ts';
import { renderChart } from './render.ts';
import { findTools } from './tools.ts';

const tools = await findTools();

type Labels = Readonly<Record<string, string>>;

const labelsOf = (objects: readonly KubernetesObject[], component: string): Labels =>
  podsOf(objects).find(({ labels }) => labels['app.kubernetes.io/component'] === component)?.labels ?? {};

const isSelected = (selector: Labels, labels: Labels): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

interface IngressRule {
  readonly http: {
    readonly paths: readonly {
      readonly path: string;
      readonly backend: { readonly service: { readonly name: string; readonly port: { readonly number: number } } };
    }[];
  };
}
interface RouteRule {
  readonly matches: readonly [{ readonly path: { readonly value: string } }];
  readonly backendRefs: readonly [{ readonly name: string; readonly port: number }];
}
type Backend = readonly [path: string, service: string, port: number];

/** The Service and port of each path of an Ingress or an HTTPRoute. */
const backendsOf = ({ kind, spec }: KubernetesObject): readonly Backend[] =>
  kind === 'Ingress'
    ? spec.rules.flatMap(({ http }: IngressRule) =>
        http.paths.map(({ path, backend: { service } }) => [path, service.name, service.port.number]),
      )
    : spec.rules.map(({ matches: [match], backendRefs: [backend] }: RouteRule) => [
        match.path.value,
        backend.name,
        backend.port,
      ]);

describe.skipIf(!tools.isReady)('the chart', () => {
  const { helm } = tools;

  test.each(Object.entries(accepted))('%s: every name and port leads to a pod', async (_name, values) => {
    const { objects } = await renderChart(helm, values);
    const pods = podsOf(objects);
    const ofKind = (...kinds: string[]) => objects.filter(({ kind }) => kinds.includes(kind));
    for (const { spec } of ofKind('Service')) {
      const selected = pods.filter(({ labels }) => isSelected(spec.selector, labels));
      expect(selected).toHaveLength(1);
      const ports = selected.flatMap(containersOf).flatMap(({ ports = [] }) => ports.map(({ name }) => name));
      for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
    }
    for (const object of ofKind('Ingress', 'HTTPRoute')) {
      for (const [, service, port] of backendsOf(object)) {
        expect(objectOf(objects, 'Service', service).spec.ports[0].port).toBe(port);
      }
    }
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
      expect(objectOf(objects, 'Deployment', spec.scaleTargetRef.name).spec.replicas).toBeUndefined();
    }
    for (const { spec } of ofKind('Deployment', 'PodDisruptionBudget')) {
      expect(pods.filter(({ labels }) => isSelected(spec.selector.matchLabels, labels))).toHaveLength(1);
    }
    for (const { spec } of ofKind('ServiceMonitor')) {
      const services = ofKind('Service').filter(({ metadata }) =>
        isSelected(spec.selector.matchLabels, metadata.labels ?? {}),
      );
      expect(services.map(({ spec: { ports } }) => ports[0].name)).toEqual([spec.endpoints[0].port]);
    }
  });

  test('the pages and the test reach the admin listener, and no other pod does', async () => {
    const { objects } = await renderChart(helm, least);
    const server = labelsOf(objects, 'server');
    const pages = labelsOf(objects, 'ui');
    const reaches = (pod: Labels, port: string, namespace?: Labels) =>
      isReachable(objects, server, port, namespace === undefined ? { pod } : { pod, namespace });
    expect(reaches(pages, 'http-admin')).toBe(true);
    expect(reaches(labelsOf(objects, 'test'), 'http-admin')).toBe(true);
    expect(reaches({ app: 'other' }, 'http-admin')).toBe(false);
    expect(reaches(server, 'http-admin')).toBe(false);
    expect(reaches(pages, 'http-admin', { 'kubernetes.io/metadata.name': 'other' })).toBe(false);
    expect(reaches({ app: 'other' }, 'http-public', { 'kubernetes.io/metadata.name': 'ingress' })).toBe(true);
    expect(isReachable(objects, pages, 'http-ui', { pod: { app: 'other' } })).toBe(true);
  });

  test('the peers in the values reach the admin listener, and no others', async () => {
    const { objects } = await renderChart(helm, accepted.everything as object);
    const server = labelsOf(objects, 'server');
    const monitoring = { 'kubernetes.io/metadata.name': 'monitoring' };
    const reaches = (port: string, pod: Labels, namespace?: Labels) =>
      isReachable(objects, server, port, namespace === undefined ? { pod } : { pod, namespace });
    expect(reaches('http-admin', { app: 'login' })).toBe(true);
    expect(reaches('http-admin', { app: 'prometheus' }, monitoring)).toBe(true);
    expect(reaches('http-admin', { app: 'prometheus' })).toBe(false);
    expect(reaches('http-public', { app: 'login' })).toBe(false);
  });

  test.each([
    ['least values', least, 'carnet-public', 'carnet-ui'],
    ['everything', accepted.everything as object, 'carnet-id-public', 'carnet-id-ui'],
  ])('%s: the Ingress leads each path to its Service', async (name, values, server, pages) => {
    const enabled = { ...values, ingress: { public: { enabled: true } } };
    const { objects } = await renderChart(helm, enabled);
    const ingress = objectOf(objects, 'Ingress', server);
    const serviceOf = Object.fromEntries(backendsOf(ingress).map(([path, service]) => [path, service]));
    if (name === 'everything') {
      expect(ingress.spec.rules.map(({ host }: { host: string }) => host)).toEqual([
        'id.example.com',
        'login.example.com',
      ]);
      expect(serviceOf).toEqual({
        '/op': server,
        '/.well-known/oauth-authorization-server/op': server,
        '/.well-known/openid-configuration/op': server,
        '/': pages,
      });
    } else {
      expect(serviceOf).toMatchObject({ '/': server, '/login': pages, '/consent': pages, '/account': pages });
    }
  });
});
