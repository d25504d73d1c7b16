import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const exec = promisify(execFile);

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What the tests keep on this machine from one run to the next. */
const cache = join(homedir(), '.cache', 'carnet-tools');
const images = join(cache, 'images');

const isThere = (command: string): Promise<boolean> =>
  exec('which', [command]).then(
    () => true,
    () => false,
  );

/** Buildah with a store of its own, in which no other program looks. */
const buildahOptions = ['--storage-driver', 'vfs', '--root', join(images, 'storage'), '--runroot', join(images, 'run')];

/** Runs Buildah. @returns its standard output */
export const buildah = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await exec('buildah', [...buildahOptions, ...args], { cwd: root, maxBuffer: 2 ** 26 });
  return stdout.trim();
};

const hasBases = async (): Promise<boolean> => {
  const names = await buildah('images', '--format', '{{.Name}}');
  return ['localhost/carnet-slim', 'localhost/carnet-distroless'].every((name) => names.split('\n').includes(name));
};

/** Makes the images that the Dockerfile starts from. It takes two minutes, once on a machine. */
const makeBases = async (): Promise<void> => {
  mkdirSync(images, { recursive: true, mode: 0o700 });
  if (await hasBases()) return;
  const node = join(root, 'node_modules', 'node', 'bin', 'node');
  const script = fileURLToPath(new URL('bases.sh', import.meta.url));
  await exec('sh', [script, images, node, 'buildah', ...buildahOptions], { maxBuffer: 2 ** 26 });
};

/** Makes this machine ready to build images. @returns why it can't */
export const prepareImages = async (): Promise<string | undefined> => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'they need Linux and root';
  const isReady = (await isThere('buildah')) && (await isThere('debootstrap'));
  if (!isReady) return 'they need Buildah and debootstrap: apt-get install both';
  await makeBases();
  return undefined;
};

/** A Python program in an environment of its own, installed once on a machine. Undefined without Python. */
export const findPythonProgram = async (name: string, requirement: string): Promise<string | undefined> => {
  const venv = join(cache, name);
  const program = join(venv, 'bin', name);
  if (existsSync(program)) return program;
  try {
    await exec('python3', ['-m', 'venv', venv]);
  } catch {
    return undefined;
  }
  await exec(join(venv, 'bin', 'pip'), ['install', '--quiet', requirement]);
  return program;
};
