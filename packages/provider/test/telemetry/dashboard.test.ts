import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { registerClient } from '../clients.ts';
import { login } from '../login.ts';

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const read = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const dashboard = JSON.parse(read('deploy/monitoring/grafana-dashboard.json')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly query: string | { readonly query: string } }[] };
};
const expressions = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.map(({ query }) => (typeof query === 'string' ? '' : query.query)),
];

/** The metrics of an expression, with the selectors behind them. */
const selectorsIn = (expression: string) =>
  [...expression.matchAll(/\b((?:http|db|carnet|process|nodejs)_\w+)(?:\{([^}]*)\})/g)].map(
    ([, name = '', matchers = '']) => ({
      name,
      labels: [...matchers.matchAll(/(\w+) ?(?:=|!)/g)].map(([, label]) => label),
    }),
  );

const instance = startBeforeTests();
let metrics: string;
beforeAll(async () => {
  await login(instance, await registerClient(instance, 'shop'));
  metrics = await (await fetch(`${instance.admin}/metrics/prometheus`)).text();
});

/** The names of the samples that `/metrics/prometheus` has, or has after the first event. */
const namesIn = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );

/** The labels that docs/operate/operations.md lists for a metric. */
const labelsOf = (name: string): readonly string[] => {
  const row = read('docs/operate/operations.md')
    .split('\n')
    .find(
      (line) =>
        line.startsWith('| `') && line.split('|')[1]?.includes(`\`${name.replace(/_(?:bucket|sum|count)$/, '')}\``),
    );
  return [...(row?.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, label = '']) => label);
};

test('each metric of the dashboard is one that /metrics/prometheus has', () => {
  const names = namesIn(metrics);
  const used = expressions.flatMap((expression) => selectorsIn(expression).map(({ name }) => name));
  expect(new Set(used).size).toBeGreaterThan(12);
  expect(used.filter((name) => !names.has(name))).toEqual([]);
  // `up` is a metric of Prometheus itself. No other name is left unchecked.
  const words = expressions.flatMap((expression) => expression.match(/\b[a-z]+(?:_[a-z0-9]+)+(?=\{)/g) ?? []);
  expect(words.filter((word) => !names.has(word))).toEqual([]);
});

test('each label of the dashboard is one that the metric has', () => {
  const wrong = expressions.flatMap((expression) => {
    const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, ?/));
    return selectorsIn(expression).flatMap(({ name, labels }) =>
      [...labels, ...grouped]
        .filter((label) => !['job', 'instance', 'le', ...labelsOf(name)].includes(String(label)))
        .map((label) => `${name}: ${label}`),
    );
  });
  expect(wrong).toEqual([]);
});

test('each metric of Carnet has a panel, but those for developers', () => {
  const shown = new Set(
    expressions.flatMap((expression) =>
      selectorsIn(expression).map(({ name }) => name.replace(/_(?:bucket|sum|count)$/, '')),
    ),
  );
  const own = [...metrics.matchAll(/^# TYPE ((?:http|db|carnet)_\S+)/gm)].map(([, name = '']) => name);
  const missing = own.filter((name) => !shown.has(name));
  expect(missing.toSorted()).toEqual([
    'carnet_client_instantiations_total',
    'carnet_client_parses_total',
    'carnet_client_reads_total',
    'carnet_sweep_removed_total',
  ]);
});

test('each panel has a title and an expression, and overlaps no other', () => {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');
  expect(panels.every(({ title, targets }) => title !== '' && targets?.every(({ expr }) => expr !== ''))).toBe(true);
  const cells = dashboard.panels.flatMap((panel) => {
    const { x, y, w, h } = (panel as unknown as { gridPos: Record<'x' | 'y' | 'w' | 'h', number> }).gridPos;
    return Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
});
