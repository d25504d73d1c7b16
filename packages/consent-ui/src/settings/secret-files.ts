import { readFileSync } from 'node:fs';
import { settings } from './schema.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The variables that can name a file instead: `CARNET_ADMIN_TOKEN_FILE`. */
const secrets = settings.filter(({ secret }) => secret).map(({ variable }) => variable);

const read = (key: string, path: string, report: (problem: string) => void): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    // A value without a slash may be the secret itself, set by mistake.
    const file = /[/\\]/.test(path) ? path : 'the file';
    report(`${key}_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return undefined;
  }
};

/** The environment with the secrets that `*_FILE` variables name. Reports each file that cannot be read. */
export const withSecretFiles = (env: Env, report: (problem: string) => void): Env => {
  const found = secrets.map((key) => {
    const path = env[`${key}_FILE`];
    if (path && env[key]) report(`${key} and ${key}_FILE are both set: remove one`);
    return [key, path ? read(key, path, report) : env[key]] as const;
  });
  const names: readonly string[] = secrets.map((key) => `${key}_FILE`);
  const others = Object.entries(env).filter(([key]) => !names.includes(key));
  return { ...Object.fromEntries(others), ...Object.fromEntries(found) };
};
