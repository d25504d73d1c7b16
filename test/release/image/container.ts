import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach } from 'vitest';

const script = fileURLToPath(new URL('container.sh', import.meta.url));

/** An image that is mounted, and the configuration that a runtime reads. */
export interface Image {
  readonly root: string;
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
    readonly StopSignal: string;
    readonly Volumes: object;
    readonly WorkingDir: string;
    readonly Healthcheck: { readonly Test: readonly string[] };
  };
}

export interface Container {
  /** The process that is PID 1 in the container, as this machine numbers it. */
  pid(): number;
  /** What was printed so far. */
  output(): string;
  /** Resolves with the time since the start, in milliseconds. */
  printed(part: string): Promise<number>;
  readonly exited: Promise<number | null>;
}

const environment = (image: Image, env: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(
    image.config.Env.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  ),
  HOME: '/home/nonroot',
  ...env,
});

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts the entrypoint of an image. The network is that of this machine. */
export const startContainer = (
  image: Image,
  volume: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Container => {
  const startedAt = performance.now();
  const command = [script, image.root, volume, ...image.config.Entrypoint, ...args];
  const child = spawn('sh', command, { env: environment(image, env), stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let output = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const look of waiting) look();
    });
  }
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const printed = (part: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (output.includes(part)) resolve(performance.now() - startedAt);
      };
      waiting.add(look);
      look();
      void exited.then((code) => reject(new Error(`ended with ${code} before it printed ${part}:\n${output}`)));
    });
  const pid = (): number =>
    Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0]);
  return { pid, output: () => output, printed, exited };
};

/** Runs a command in a container until it ends. */
export const runContainer = async (
  image: Image,
  volume: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string }> => {
  try {
    const { stdout, stderr } = await promisify(execFile)('sh', [script, image.root, volume, ...command], {
      env: environment(image, env),
    });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code: number; stdout?: string; stderr?: string };
    return { code, output: stdout + stderr };
  }
};
