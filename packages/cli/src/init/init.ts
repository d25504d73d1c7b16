import { mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { getAt } from '@carnet/provider/config';
import { type Command, type Option, text, UsageError, type Values } from '../command.ts';
import { type NewFile, writeNewFiles } from '../write-new-files.ts';
import type { Written } from './choices.ts';

const options = {
  dev: { type: 'boolean', summary: 'A configuration for development: Carnet generates what is missing.' },
  all: { type: 'boolean', summary: 'Write all other settings, too, as comments with descriptions and defaults.' },
  issuer: { type: 'string', value: 'url', summary: 'The https URL of Carnet. Default: https://login.example.com.' },
  store: { type: 'string', value: 'url', summary: 'The URL of the store. Default: sqlite:carnet.db.' },
  pages: {
    type: 'string',
    value: 'url|bundled',
    summary: 'The URL of your pages. Default: bundled, the pages of `carnet ui` under the issuer.',
  },
  out: { type: 'string', value: 'folder', summary: 'The folder of the files. Default: the current one.' },
} as const satisfies Record<string, Option>;

const defaultIssuer = 'https://login.example.com';

const short = `# \`carnet init --all\` writes every setting with its description, and \`carnet help config\` shows one.
`;

const long = `#
# Settings that begin with "# " are comments with their defaults. Remove the "# " before a name, and before the names of the
# sections around it, to change one. `;

const header = (
  hasSecrets: boolean,
  all: boolean,
): string => `# The configuration of Carnet, written by \`carnet init\`.
${all ? long : `${short}# `}\`carnet config print --config carnet.yaml\` checks the file and reports every problem.
${
  hasSecrets
    ? '# Secrets are in carnet.env: variables override this file.'
    : '# Dev mode keeps generated secrets in the folder .carnet.'
}

`;

const assertUrl = (name: string, value: string): void => {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    throw new UsageError(`--${name} must be an http or https URL${name === 'pages' ? ', or bundled' : ''}.`);
};

const writtenFor = async (values: Values): Promise<Written> => {
  const { forDevelopment, forProduction } = await import('./choices.ts');
  const given = (['issuer', 'store', 'pages'] as const).filter((name) => values[name] !== undefined);
  if (values.dev === true) {
    if (given.length > 0) throw new UsageError(`--dev needs no --${given[0]}: leave out one of them.`);
    return forDevelopment();
  }
  const issuer = text(values, 'issuer') ?? defaultIssuer;
  const pages = text(values, 'pages') ?? 'bundled';
  assertUrl('issuer', issuer);
  if (pages !== 'bundled') assertUrl('pages', pages);
  return forProduction({ issuer, store: text(values, 'store') ?? 'sqlite:carnet.db', pages });
};

/**
 * An assignment that a shell, systemd and Node.js read alike. Only URLs have characters of the shell, which would otherwise end
 * the assignment (`&`) or run a command (`$(...)`).
 */
const assignment = (name: string, value: string): string =>
  /[^\w./:@,+%=?~-]/.test(value) ? `${name}='${value.replaceAll("'", '%27')}'\n` : `${name}=${value}\n`;

const filesOf = async (
  { settings, secrets, template }: Written,
  { folder, all }: { readonly folder: string; readonly all: boolean },
): Promise<readonly NewFile[]> => {
  const [{ commentedYaml }, { describedSettings }] = await Promise.all([
    import('./commented-yaml.ts'),
    import('../config/described-settings.ts'),
  ]);
  const lines = Object.entries(secrets).map(([name, value]) => assignment(name, value));
  const described = describedSettings().filter(({ key }) => all || getAt(settings, key) !== undefined);
  const text = all || template === undefined ? `${commentedYaml(described, settings)}\n` : template;
  const yaml = `${header(lines.length > 0, all)}${text}`;
  return [
    { path: join(folder, 'carnet.yaml'), content: yaml, mode: 0o644 },
    ...(lines.length === 0 ? [] : [{ path: join(folder, 'carnet.env'), content: lines.join(''), mode: 0o600 }]),
  ];
};

const nextSteps = (values: Values, folder: string): readonly string[] => {
  const file = join(folder, 'carnet.yaml');
  if (values.dev === true) {
    return [`Start it: npx carnet serve --config ${file}`, 'Start the pages, in a second terminal: npx carnet ui'];
  }
  const edit = values.issuer === undefined ? [`Set issuer and urls in ${file}: ${defaultIssuer} is an example.`] : [];
  const withBundled = (text(values, 'pages') ?? 'bundled') === 'bundled';
  return [
    ...edit,
    `Load the secrets: set -a; . ${isAbsolute(folder) ? '' : './'}${join(folder, 'carnet.env')}; set +a`,
    `Create the tables: npx carnet migrate up --config ${file}`,
    `Start it: npx carnet serve --config ${file}`,
    ...(withBundled
      ? [
          'Start the pages, with CARNET_ADMIN_TOKEN set to ADMIN_TOKEN: npx carnet ui',
          'For emails to users, set accounts.mail (docs/guides/directories.md).',
        ]
      : []),
    `Put a reverse proxy with TLS in front (docs/operate/reverse-proxies.md), and check all of it: npx carnet doctor --config ${file}`,
  ].map((step, index) => `  ${index + 1}. ${step}`);
};

export const init: Command = {
  name: 'init',
  summary: 'Write a commented configuration file, and its secrets into a file of their own.',
  options,
  examples: [
    'carnet init --dev --out development',
    'carnet init --issuer https://login.example.com --store postgres://carnet:password@db/carnet --pages https://example.com --out production',
  ],
  run: async (values, { out }) => {
    const folder = text(values, 'out') ?? '.';
    const files = await filesOf(await writtenFor(values), { folder, all: values.all === true });
    mkdirSync(folder, { recursive: true });
    writeNewFiles(files);
    for (const { path, mode } of files) out(`Wrote ${path}${mode === 0o600 ? ', which only you can read' : ''}.`);
    for (const step of nextSteps(values, folder)) out(step);
  },
};
