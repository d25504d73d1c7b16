import { verifySync } from '@node-rs/argon2';
import type { Scheme } from './scheme.ts';

const pattern = /^\$argon2(id|i)\$(?:v=(16|19)\$)?m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,3})\$[\w+/]{11,86}\$[\w+/]{16,86}$/;

export interface Argon2Parameters {
  readonly variant: 'id' | 'i';
  readonly version: number;
  readonly memoryKiB: number;
  readonly iterations: number;
  readonly parallelism: number;
}

/** The parameters of a PHC string of argon2i or argon2id; undefined for any other text. */
export const parseArgon2 = (encoded: string): Argon2Parameters | undefined => {
  const [match, variant, version = '16', memory, iterations, parallelism] = pattern.exec(encoded) ?? [];
  if (match === undefined) return undefined;
  return {
    variant: variant === 'id' ? 'id' : 'i',
    version: Number(version),
    memoryKiB: Number(memory),
    iterations: Number(iterations),
    parallelism: Number(parallelism),
  };
};

const limits = { memoryKiB: 262_144, iterations: 256, parallelism: 16, memoryTimesIterations: 1_048_576 };

const problemOf = ({ memoryKiB, iterations, parallelism }: Argon2Parameters): string | undefined => {
  if (parallelism < 1 || parallelism > limits.parallelism) return `p must be 1 to ${limits.parallelism}`;
  if (memoryKiB < 8 * parallelism || memoryKiB > limits.memoryKiB)
    return `m must be 8p to ${limits.memoryKiB} (256 MiB)`;
  if (iterations < 1 || iterations > limits.iterations) return `t must be 1 to ${limits.iterations}`;
  if (memoryKiB * iterations > limits.memoryTimesIterations)
    return `m * t must be at most ${limits.memoryTimesIterations}`;
  return undefined;
};

/** argon2i and argon2id as PHC strings (RFC 9106). argon2d is not accepted: it leaks through side channels. */
export const argon2: Scheme = (encoded) => {
  const parameters = parseArgon2(encoded);
  if (parameters === undefined) return undefined;
  const { variant, memoryKiB, iterations, parallelism } = parameters;
  return {
    cost: `argon2${variant} ${memoryKiB} ${iterations} ${parallelism}`,
    problem: problemOf(parameters),
    matches: (password) => verifySync(encoded, password),
  };
};
