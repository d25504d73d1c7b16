import { type ExecFileException, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from './objects.ts';

const run = promisify(execFile);

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const chart = 'deploy/chart';

export interface Rendered {
  readonly text: string;
  readonly objects: readonly KubernetesObject[];
}

const parse = (text: string): Rendered => ({
  text,
  objects: parseAllDocuments(text)
    .map((document) => document.toJSON() as KubernetesObject | null)
    .filter((object) => object !== null),
});

/** Runs Helm with the values on its standard input. @throws Error with what Helm reports */
const withValues = (helm: string, args: readonly string[], values: object): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(helm, [...args, '-f', '-'], { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(Buffer.concat(out).toString()) : reject(new Error(Buffer.concat(err).toString())),
    );
    child.stdin.end(JSON.stringify(values));
  });

export const renderChart = async (
  helm: string,
  values: object,
  args: readonly string[] = ['--kube-version', '1.34.0'],
): Promise<Rendered> =>
  parse(await withValues(helm, ['template', 'carnet', chart, '--namespace', 'carnet', ...args], values));

/** The output of `helm lint --strict`. @throws Error if it finds a problem */
export const lintChart = (helm: string, values: object): Promise<string> =>
  withValues(helm, ['lint', '--strict', chart], values);

/** The problems of files, by the strict schemas of a version of Kubernetes. */
export const validate = async (
  validator: string,
  version: string,
  files: readonly string[],
): Promise<readonly string[]> => {
  try {
    const { stdout, stderr } = await run(validator, ['-k', version, '--strict', '--quiet', ...files]);
    return `${stdout}${stderr}`.split('\n').filter(Boolean);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as ExecFileException;
    return [`exit code of ${version}`, ...`${stdout}${stderr}`.split('\n').filter(Boolean)];
  }
};
