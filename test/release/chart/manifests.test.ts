import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root, validate } from './render.ts';
import { findTools } from './tools.ts';

const tools = await findTools();
const run = promisify(execFile);
const folder = folderForTests();

const manifests = join(root, 'deploy/kubernetes');

test.skipIf(!tools.isReady)(
  '`helm package` packs the chart with its schema and README, and with nothing else',
  async () => {
    const { helm } = tools;
    const { stdout: packed } = await run(helm, ['package', 'deploy/chart', '-d', folder], { cwd: root });
    const { stdout: files } = await run('tar', ['tzf', packed.trim().replace(/^.*: /, '')]);
    const outside = files.split('\n').filter((file) => !file.startsWith('carnet/templates/'));
    const own = ['.helmignore', 'Chart.yaml', 'README.md', 'values.schema.json', 'values.yaml'];
    expect(outside.filter(Boolean).toSorted()).toEqual(own.map((name) => `carnet/${name}`));
  },
);

describe.skipIf(!tools.isReady)('the manifests without Helm', () => {
  const { helm, validator } = tools;

  test('are accepted by Kubernetes as render.sh renders them, and have no trace of Helm', async () => {
    const file = join(folder, 'carnet.yaml');
    await run(join(manifests, 'render.sh'), [file], { env: { ...process.env, HELM: helm } });
    const { resources } = parse(readFileSync(join(manifests, 'kustomization.yaml'), 'utf8')) as { resources: string[] };
    expect(resources).toContain('carnet.yaml');
    const files = resources.map((name) => (name === 'carnet.yaml' ? file : join(manifests, name)));
    for (const version of ['1.30', '1.37']) expect(await validate(validator, version, files)).toEqual([]);
    const rendered = readFileSync(file, 'utf8');
    expect(rendered).toMatch(/^kind: Deployment$/m);
    expect(rendered).not.toMatch(/helm\.sh|Helm$/m);
  });
});
