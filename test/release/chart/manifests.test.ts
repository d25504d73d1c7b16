import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root, validate } from './render.ts';
import { findTools } from './tools.ts';

const tools = await findTools();
const folder = mkdtempSync(join(tmpdir(), 'carnet-manifests-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifests = join(root, 'deploy/kubernetes');
const read = (name: string): string => readFileSync(join(manifests, name), 'utf8');

describe.skipIf(tools === undefined)('the manifests without Helm', () => {
  const { helm, validator } = tools as NonNullable<typeof tools>;

  test('are what deploy/kubernetes/render.sh renders from the chart', async () => {
    const file = join(folder, 'carnet.yaml');
    await promisify(execFile)(join(manifests, 'render.sh'), [file], { env: { ...process.env, HELM: helm } });
    expect(readFileSync(file, 'utf8')).toBe(read('carnet.yaml'));
  });

  test('are accepted by Kubernetes, and have no trace of Helm', async () => {
    const { resources } = parse(read('kustomization.yaml')) as { resources: string[] };
    const files = resources.map((name) => join(manifests, name));
    for (const version of ['1.30', '1.37']) expect(await validate(validator, version, files)).toEqual([]);
    expect(read('carnet.yaml')).not.toMatch(/helm\.sh|Helm$/m);
  });
});
