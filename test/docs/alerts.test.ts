import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly action: string };
}

const { groups } = parse(read('deploy/monitoring/prometheus-rules.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

test('alerts use metrics that Carnet has, and each says what to do', () => {
  const declared = read('packages/provider/src/telemetry/metrics.ts');
  const named = rules.flatMap(({ expr }) => expr.match(/\b(?:http|db|carnet|nodejs)_\w+/g) ?? []);
  const metrics = named
    .filter((name) => !/^(?:http_response_status_code|http_route|db_operation_name)$/.test(name))
    .map((name) => name.replace(/_(?:count|bucket|sum)$/, ''));
  expect(metrics.length).toBeGreaterThan(8);
  // Those of Node.js are of prom-client.
  expect(metrics.filter((name) => !name.startsWith('nodejs_') && !declared.includes(name))).toEqual([]);
  expect(rules.filter(({ annotations }) => !annotations.summary || !annotations.action)).toEqual([]);
});

test('the production guide names alerts that exist', () => {
  const named = [...read('docs/operate/production.md').matchAll(/`(Carnet[A-Z]\w+)`/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !rules.some(({ alert }) => alert === name))).toEqual([]);
});
