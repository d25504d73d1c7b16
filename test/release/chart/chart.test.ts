import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseCommandLine } from '../../../packages/cli/src/run.ts';
import { accepted, least, refused } from './cases.ts';
import { customProblems } from './custom-resources.ts';
import { containersOf, type KubernetesObject, objectOf, podsOf } from './objects.ts';
import { lintChart, type Rendered, renderChart, root, validate } from './render.ts';
import { findTools } from './tools.ts';

const tools = await findTools();
const folder = folderForTests();

const rendered = new Map<string, Rendered>();
if (tools.isReady) {
  for (const [name, values] of Object.entries(accepted)) rendered.set(name, await renderChart(tools.helm, values));
}
const objectsOf = (name: string): readonly KubernetesObject[] => rendered.get(name)?.objects ?? [];
const names = Object.keys(accepted);

describe.skipIf(!tools.isReady)('the Helm chart', () => {
  const { helm, validator } = tools;

  test('has no problem that `helm lint --strict` finds', async () => {
    expect(await lintChart(helm, least)).toContain('0 chart(s) failed');
  });

  test('has the version of the packages', () => {
    const chart = parse(readFileSync(join(root, 'deploy/chart/Chart.yaml'), 'utf8'));
    const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'));
    expect([chart.version, chart.appVersion]).toEqual([version, version]);
  });

  test.each(['1.30', '1.34', '1.37'])(
    'renders objects that Kubernetes %s accepts, by its strict schemas',
    async (version) => {
      const files = [...rendered].map(([name, { text }]) => {
        const file = join(folder, `${name.replaceAll(' ', '-')}.yaml`);
        writeFileSync(file, text);
        return file;
      });
      const problems = await validate(validator, version, files);
      // Kubernetes has no schemas of custom resources: the next test checks these.
      expect(problems.filter((line) => !/find schema for kind (?:HTTPRoute|ServiceMonitor) /.test(line))).toEqual([]);
    },
  );

  test('renders custom resources with known members', () => {
    const objects = names.flatMap(objectsOf);
    expect(objects.filter(({ kind }) => kind === 'HTTPRoute').length).toBeGreaterThan(1);
    expect(objects.filter(({ kind }) => kind === 'ServiceMonitor').length).toBe(1);
    expect(objects.flatMap(customProblems)).toEqual([]);
  });

  test.each(refused)('refuses %s', async (_name, values, message) => {
    const failure = await renderChart(helm, values).catch((error: Error) => error.message);
    expect(failure).toContain(message);
  });

  test('reports all problems at once', async () => {
    const failure = await renderChart(helm, { ui: { enabled: false } }).catch((error: Error) => error.message);
    expect((failure as string).match(/^ {2}- /gm)).toHaveLength(4);
  });

  test.each(names)('%s: every container is unprivileged, and knows its limits', (name) => {
    for (const pod of podsOf(objectsOf(name))) {
      expect(pod.spec).toMatchObject({
        automountServiceAccountToken: false,
        // A Service with the name of the release would set CARNET_PORT and others.
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { args, resources, securityContext } of containersOf(pod).filter(({ args }) => args)) {
        expect(securityContext, args.join(' ')).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(resources).toMatchObject({
          requests: { cpu: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
      }
    }
  });

  test.each(names)('%s: every container runs a command that exists, with options that it has', (name) => {
    const lines = podsOf(objectsOf(name)).flatMap((pod) => containersOf(pod).map(({ args }) => args ?? []));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) parseCommandLine(line);
  });

  test('a pod of the server is alive, ready and ended by what Carnet answers', () => {
    const { spec } = podsOf(objectsOf('the least values')).find(({ owner }) => owner === 'Deployment/carnet') ?? {};
    expect(spec?.terminationGracePeriodSeconds).toBe(60);
    const probe = (path: string) => ({ httpGet: { path, port: 'http-admin' } });
    expect(spec?.containers[0]).toMatchObject({
      startupProbe: probe('/health/alive'),
      livenessProbe: probe('/health/alive'),
      readinessProbe: probe('/health/ready'),
      lifecycle: { preStop: { sleep: { seconds: 5 } } },
    });
  });

  test('the Job of the migration runs before the objects of the release exist, with the stores only', () => {
    const objects = objectsOf('the least values');
    const hooks = ['Job', 'ConfigMap', 'Secret'].map((kind) => objectOf(objects, kind, 'carnet-migrate').metadata);
    for (const { annotations } of hooks) expect(annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const secret = objectOf(objects, 'Secret', 'carnet-migrate');
    expect(Object.keys(secret.data ?? {})).toEqual(['ACCOUNTS_DATABASE', 'DATABASE_URL']);
  });

  test('the Secret survives `helm uninstall`', () => {
    const { metadata } = objectOf(objectsOf('the least values'), 'Secret', 'carnet');
    expect(metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
  });
});
