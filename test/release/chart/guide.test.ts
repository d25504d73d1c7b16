import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseCommandLine } from '../../../packages/cli/src/run.ts';
import { type KubernetesObject, objectOf } from './objects.ts';
import { renderChart, root } from './render.ts';
import { findTools } from './tools.ts';

const tools = await findTools();
const guide = readFileSync(join(root, 'docs/operate/kubernetes.md'), 'utf8');
const notes = readFileSync(join(root, 'deploy/chart/templates/NOTES.txt'), 'utf8');

const blocksOf = (language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code);

/** The commands of the guide, each on one line. */
const lines = blocksOf('sh').flatMap((code) =>
  code
    .replaceAll(/ *\\\n */g, ' ')
    .trim()
    .split('\n'),
);

/** The command lines of `carnet` in pods. */
const inPods = (text: string): readonly string[][] =>
  [...text.matchAll(/ exec (?:-i )?(\S+) -- carnet (.*)$/gm)].map(([, pod = '', args = '']) => [
    pod,
    ...args.split(' '),
  ]);

describe.skipIf(!tools.isReady)('docs/operate/kubernetes.md', () => {
  const { helm } = tools;
  const values = blocksOf('yaml').map((code) => parse(code));

  test.each(values)('its values no. %# are accepted by the chart', async (each) => {
    expect((await renderChart(helm, each)).objects.length).toBeGreaterThan(5);
  });

  test('its commands install a chart and call Carnet in pods that there are', async () => {
    const { objects } = await renderChart(helm, values[0]);
    const commands = inPods(lines.join('\n'));
    expect(commands).toHaveLength(3);
    for (const [pod = '', ...args] of [...commands, ...inPods(notes.replaceAll(/\{\{.*?\}\}/g, 'carnet'))]) {
      objectOf(objects, 'Deployment', pod.replace('deploy/', ''));
      parseCommandLine(args);
    }
    const install = lines.filter((line) => line.startsWith('helm install'));
    expect(install).toEqual([expect.stringContaining('oci://ghcr.io/carnet-oidc/charts/carnet ')]);
  });

  test('its own Secrets have all that Carnet needs', async () => {
    const secrets = lines.join('\n').matchAll(/create secret generic (\S+) .*<<ENV\n([\s\S]*?)^ENV$/gm);
    const literals = [...secrets].flatMap(([, name = '', text = '']) =>
      [...text.matchAll(/^(\w+)=/gm)].map(([, key]) => [name, key]),
    );
    const own = values.find(({ secret }) => secret?.enabled === false);
    const { objects } = await renderChart(helm, own);
    const names = JSON.stringify(objects).match(/carnet-(?:ui-)?secrets/g) as string[];
    expect([...new Set(names)].toSorted()).toEqual([...new Set(literals.map(([name]) => name))].toSorted());
    const chart = await renderChart(helm, values[0]);
    const keysOf = (name: string) =>
      Object.keys((objectOf(chart.objects, 'Secret', name) as KubernetesObject).data ?? {});
    const wanted = [...keysOf('carnet'), ...keysOf('carnet-ui')];
    expect(literals.map(([, key]) => key).toSorted()).toEqual(wanted.toSorted());
  });
});
