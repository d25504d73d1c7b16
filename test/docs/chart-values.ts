import { readFileSync } from 'node:fs';
import { isMap, isScalar, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { commandSchema } from '../../packages/cli/src/config/schema.ts';
import { configJsonSchema } from '../../packages/provider/src/config/json-schema.ts';

/** One value of the chart: a leaf of `values.yaml` with the comment above it. */
interface Value {
  readonly path: string;
  readonly description: string;
  readonly value: unknown;
}

type Schema = Readonly<Record<string, unknown>>;

const chart = new URL('../../deploy/chart/', import.meta.url);

/** The values whose type their default does not show. */
const types: Readonly<Record<string, Schema>> = {
  'carnet.automigration.type': { type: 'string', enum: ['job', 'initContainer'] },
  'image.pullPolicy': { type: 'string', enum: ['Always', 'IfNotPresent', 'Never'] },
  'service.public.type': { type: 'string', enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
  'service.admin.type': { type: 'string', enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
  'ui.service.type': { type: 'string', enum: ['ClusterIP', 'NodePort', 'LoadBalancer'] },
  'image.digest': { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
  replicaCount: { type: 'integer', minimum: 0 },
  'ui.config': { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
  commonLabels: { type: 'object', additionalProperties: { type: 'string' } },
  imagePullSecrets: {
    type: 'array',
    items: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
  },
};

const texts = { type: 'object', additionalProperties: { type: 'string' } };

/** Objects of Kubernetes, such as `affinity`, are checked when they are applied. */
const typeOf = ({ path, value }: Value): Schema => {
  const known = types[path];
  if (known !== undefined) return known;
  if (path === 'carnet.config') return configSchema();
  if (/\.?(?:annotations|labels)$/.test(path)) return texts;
  if (Array.isArray(value))
    return { type: 'array', items: { type: path.endsWith('accessModes') ? 'string' : 'object' } };
  if (typeof value === 'number') return { type: 'integer', minimum: 0 };
  return { type: typeof value };
};

/** The regular expressions of Go, in which Helm is written, have no look-around and at most 1,000 repeats. */
const isForGo = (pattern: string): boolean =>
  !/\(\?[=!<]/.test(pattern) &&
  [...pattern.matchAll(/\{(\d+)(?:,(\d+))?\}/g)].every(([, ...to]) => to.every((n = '0') => +n <= 1_000));

/** The schema of the configuration, without the patterns that Helm cannot read. Carnet checks these when it starts. */
const configSchema = (): Schema => {
  const { $schema: _, title: _title, ...schema } = configJsonSchema(commandSchema) as Record<string, unknown>;
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'pattern' && typeof value === 'string' && !isForGo(value) ? undefined : value,
  );
};

/** The comment above a key. The parser gives that of the first key to the map. */
const commentOf = (pair: Pair<Node, Node>, map: YAMLMap, index: number): string | undefined => {
  const comment = pair.key.commentBefore ?? (index === 0 ? map.commentBefore : undefined);
  return comment?.match(/^ -- (.*)$/m)?.[1];
};

const leavesOf = (map: YAMLMap, prefix = ''): Value[] =>
  (map.items as Pair<Node, Node>[]).flatMap((pair, index) => {
    if (!isScalar(pair.key)) throw new Error(`values.yaml: a key below ${prefix} is not text`);
    const path = `${prefix}${String(pair.key.value)}`;
    const description = commentOf(pair, map, index);
    if (description !== undefined) return [{ path, description, value: pair.value?.toJSON() }];
    if (isMap(pair.value)) return leavesOf(pair.value, `${path}.`);
    throw new Error(`values.yaml: ${path} needs a comment "# -- ..." that describes it`);
  });

const document = () => parseDocument(readFileSync(new URL('values.yaml', chart), 'utf8'));

/** The default values of the chart. */
export const chartValues = (): unknown => document().toJS();

const values = (): Value[] => {
  const { contents } = document();
  if (!isMap(contents)) throw new Error('values.yaml is not a map');
  return leavesOf(contents);
};

interface Branch {
  readonly type: 'object';
  readonly properties: Record<string, Branch | Schema>;
  readonly additionalProperties: false;
}

const branch = (): Branch => ({ type: 'object', properties: {}, additionalProperties: false });

/** `values.schema.json`: every key of `values.yaml`, and no other. `carnet.config` has the schema of the configuration. */
export const chartSchemaDocs = (): string => {
  const root = branch();
  for (const value of values()) {
    const steps = value.path.split('.');
    let at = root;
    for (const step of steps.slice(0, -1)) {
      at.properties[step] ??= branch();
      at = at.properties[step] as Branch;
    }
    at.properties[steps.at(-1) as string] = { ...typeOf(value), description: value.description };
  }
  // Helm adds `global` for the charts above this one.
  root.properties.global = { type: 'object' };
  const title = 'Values of the Helm chart of Carnet';
  return `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...root }, null, 2)}\n`;
};

const cell = (text: string): string => text.replaceAll('|', '\\|');

const row = ({ path, description, value }: Value): string =>
  `| \`${path}\` | ${value === '' ? '' : `\`${cell(JSON.stringify(value))}\``} | ${cell(description)} |`;

const marks = {
  begin: '<!-- Generated from values.yaml by `npm run docs:write`. -->',
  end: '<!-- End of the values. -->',
};

/** The README of the chart with the table of its values. The text around the table is written by hand. */
export const chartReadmeDocs = (): string => {
  const written = readFileSync(new URL('README.md', chart), 'utf8');
  const [before, rest] = written.split(marks.begin);
  const after = rest?.split(marks.end)[1];
  if (after === undefined) throw new Error(`deploy/chart/README.md needs the lines ${marks.begin} and ${marks.end}`);
  const table = ['| value | default | what it does |', '| --- | --- | --- |', ...values().map(row)].join('\n');
  return `${before}${marks.begin}\n\n${table}\n\n${marks.end}${after}`;
};
