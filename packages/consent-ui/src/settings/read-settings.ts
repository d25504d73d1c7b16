import { readFileSync } from 'node:fs';
import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { type PagesSettings, type SettingKey, type Settings, settings, settingsSchema } from './schema.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Settings, and where they come from. */
export interface Given {
  readonly input: Readonly<Record<string, unknown>>;
  /** The name of a setting for its problems: its key or its variable. */
  readonly nameOf: (key: SettingKey) => string;
  readonly problems: readonly string[];
}

/** Settings that were checked one by one, for checks of several of them and of the files that they name. */
export interface Checked {
  readonly values: Settings;
  readonly nameOf: Given['nameOf'];
  readonly report: (problem: string) => void;
}

const nearest = (name: string, known: readonly string[]): string => {
  const meant = closest(name, known);
  return distance(name, meant) <= 2 ? `did you mean ${meant}?` : `use one of ${known.join(', ')}`;
};

export const fromObject = (input: PagesSettings): Given => ({
  input: { ...input },
  nameOf: (key) => key,
  problems: [],
});

/** The pages had users of their own. With the same variables, they would start with other users than the operator expects. */
const removed = ['USER_DIRECTORY_URL', 'USER_DIRECTORY_TOKEN', 'DEMO_USERS_FILE', 'CARNET_DEMO_USERS'];

/** Variables of the servers that listen for the pages. */
const ofListeners = ['UI_METRICS_HOST', 'UI_METRICS_PORT'];

/** Kubernetes sets such variables for a service with the name `ui`. */
const ofKubernetes = /^UI_(?:SERVICE_|PORT(?:_|$))/;

const unknownVariables = (env: Env): string[] => {
  const known = [...settings.map(({ variable }) => variable).filter((name) => name.startsWith('UI_')), ...ofListeners];
  return Object.keys(env)
    .filter((name) => name.startsWith('UI_') && !ofKubernetes.test(name) && !known.includes(name))
    .map((name) => `${name} is not a variable of the consent UI: ${nearest(name, known)}`);
};

/** The variables that can name a file instead: `CARNET_ADMIN_TOKEN_FILE`. */
const secrets = settings.filter(({ secret }) => secret).map(({ variable }) => variable);

const readSecret = (key: string, path: string, report: (problem: string) => void): string | undefined => {
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
const withSecretFiles = (env: Env, report: (problem: string) => void): Env => {
  const found = secrets.map((key) => {
    const path = env[`${key}_FILE`];
    if (path && env[key]) report(`${key} and ${key}_FILE are both set: remove one`);
    return [key, path ? readSecret(key, path, report) : env[key]] as const;
  });
  const names: readonly string[] = secrets.map((key) => `${key}_FILE`);
  const others = Object.entries(env).filter(([key]) => !names.includes(key));
  return { ...Object.fromEntries(others), ...Object.fromEntries(found) };
};

const readers = {
  text: (text: string) => text,
  count: (text: string) => (/^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text),
  flag: (text: string) => ({ '0': false, '1': true })[text] ?? text,
  list: (text: string) => text.split(/[\s,]+/).filter(Boolean),
};

/** The rule of `@carnet/adapter-contract/kit`, for the host of an http URL. */
const isLoopback = (hostname: string): boolean => /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname);

/** The URL of pages with a server of their own on this machine. Its name is localhost, because passkeys refuse an IP address. */
const localUrl = ({ CARNET_ISSUER, PORT = '3000' }: Env, problems: string[]): { readonly url?: string } => {
  if (!/^\d{1,5}$/.test(PORT)) problems.push('PORT must be a whole number');
  const hostname = CARNET_ISSUER === undefined ? 'localhost' : (URL.parse(CARNET_ISSUER)?.hostname ?? '');
  return isLoopback(hostname) ? { url: `http://localhost:${PORT}` } : {};
};

/** The settings of environment variables. An empty variable is treated as not set. */
export const fromEnvironment = (env: Env): Given => {
  const problems: string[] = [];
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const present = withSecretFiles(set, (problem) => problems.push(problem));
  for (const key of removed.filter((each) => each in present))
    problems.push(`${key} is no longer read: set accounts.directories of Carnet (docs/guides/directories.md)`);
  problems.push(...unknownVariables(present));
  const found = settings.flatMap(({ key, variable, kind = 'text' }) => {
    const text = present[variable];
    return text === undefined ? [] : [[key, readers[kind](text)] as const];
  });
  const variables = new Map(settings.map(({ key, variable }) => [key, variable]));
  const input = { ...localUrl(present, problems), ...Object.fromEntries(found) };
  return { input, nameOf: (key) => variables.get(key) ?? key, problems };
};

const keys = settings.map(({ key }) => key);

const problemOf = ({ nameOf }: Given, issue: z.core.$ZodIssue): string => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${key} is no setting of the pages: ${nearest(key, keys)}`).join('\n  - ');
  return `${nameOf(issue.path[0] as SettingKey)} ${issue.message}`;
};

/** Checks each setting by itself. What is wrong is reported and left out. */
export const checkSettings = (given: Given, report: (problem: string) => void): Checked => {
  const { nameOf, input, problems } = given;
  for (const problem of problems) report(problem);
  const { error } = settingsSchema.safeParse(input);
  for (const issue of error?.issues ?? []) report(problemOf(given, issue));
  const wrong = new Set(error?.issues.map(({ path: [key] }) => key));
  const right = Object.entries(input).filter(([key]) => keys.includes(key as SettingKey) && !wrong.has(key));
  return { values: settingsSchema.parse(Object.fromEntries(right)), nameOf, report };
};
