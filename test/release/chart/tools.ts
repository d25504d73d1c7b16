import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Programs that the tests install once on a machine, outside of the workspace. */
const cache = join(homedir(), '.cache', 'carnet-tools');

const isOnPath = (command: string): Promise<boolean> =>
  run(command, ['version']).then(
    () => true,
    () => false,
  );

/** The path of Helm. Go builds it if it is missing, which takes some minutes. Undefined if there is no Go either. */
const findHelm = async (): Promise<string | undefined> => {
  if (await isOnPath('helm')) return 'helm';
  const helm = join(cache, 'bin', 'helm');
  if (existsSync(helm)) return helm;
  const go = (await isOnPath('go')) ? 'go' : '/usr/local/go/bin/go'; // where its installer puts it
  if (!(await isOnPath(go))) return undefined;
  console.log(`Building Helm into ${cache}. This takes some minutes, once on a machine.`);
  mkdirSync(join(cache, 'bin'), { recursive: true });
  await run(go, ['install', 'helm.sh/helm/v3/cmd/helm@v3.22.0'], {
    cwd: cache,
    env: { ...process.env, GOBIN: join(cache, 'bin') },
  });
  return helm;
};

/** The path of kubernetes-validate, which has the schemas of every version of Kubernetes. Undefined if there is no Python. */
const findValidator = async (): Promise<string | undefined> => {
  const venv = join(cache, 'venv');
  const validator = join(venv, 'bin', 'kubernetes-validate');
  if (existsSync(validator)) return validator;
  try {
    await run('python3', ['-m', 'venv', venv]);
  } catch {
    return undefined;
  }
  await run(join(venv, 'bin', 'pip'), ['install', '--quiet', 'kubernetes-validate==1.37.0']);
  return validator;
};

export interface Tools {
  /** False if a program is missing: the tests are skipped. */
  readonly isReady: boolean;
  readonly helm: string;
  readonly validator: string;
}

/** What the tests of the chart need. If a language for it is missing, the reason is on the terminal. */
export const findTools = async (): Promise<Tools> => {
  const [helm = '', validator = ''] = await Promise.all([findHelm(), findValidator()]);
  const missing = [helm === '' && 'Helm or Go', validator === '' && 'Python with venv'].filter(Boolean);
  if (missing.length > 0) console.log(`The tests of the Helm chart are skipped: they need ${missing.join(' and ')}.`);
  return { isReady: missing.length === 0, helm, validator };
};
