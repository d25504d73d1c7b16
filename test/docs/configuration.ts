import { describedSettings, type Setting } from '../../packages/cli/src/config/described-settings.ts';
import { commandSchema } from '../../packages/cli/src/config/schema.ts';
import { configJsonSchema } from '../../packages/provider/src/config/json-schema.ts';
import { commandKeys } from '../../packages/provider/src/config/parse-config.ts';
import { exampleOf } from './configuration-examples.ts';

interface JsonSchema {
  readonly const?: string;
  readonly default?: unknown;
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly required?: readonly string[];
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const code = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ');

/** The section of a setting: heading, description, default, variables and an example. */
const settingDocs = (setting: Setting): string => {
  const { key, variables, default: value, description, choices } = setting;
  const facts = [
    ...(choices.length === 0 ? [] : [`One of: ${code(choices)}.`]),
    ...(value === undefined ? [] : [`Default: ${code([value])}.`]),
    ...(variables.length === 0 ? [] : [`${variables.length === 1 ? 'Variable' : 'Variables'}: ${code(variables)}.`]),
  ];
  return [`### \`${key}\``, description, ...(facts.length === 0 ? [] : [facts.join(' ')]), exampleOf(setting)].join(
    '\n\n',
  );
};

/** The settings by top-level key. A key without others below it is a section of its own. */
const settingsDocs = (): string => {
  const settings = describedSettings();
  const sections = [...new Set(settings.map(({ key }) => key.split('.')[0] ?? ''))];
  return sections
    .map((name) => {
      const own = settings.filter(({ key }) => key.split('.')[0] === name).map(settingDocs);
      return own.length === 1 && own[0]?.startsWith(`### \`${name}\``)
        ? own[0].replace('###', '##')
        : [`## \`${name}\``, ...own].join('\n\n');
    })
    .join('\n\n');
};

interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly kinds: readonly string[];
}

const rowOf = ({ description, default: value, enum: choices }: JsonSchema): string =>
  JSON.stringify([description, value, choices]);

/** The members of all kinds. A member whose kinds describe it differently has a row for each description. */
const membersOf = (kinds: readonly JsonSchema[]): Member[] => {
  const members = new Map<string, Map<string, Member>>();
  for (const { properties = {} } of kinds) {
    const kind = properties.kind?.const ?? '';
    for (const [name, schema] of Object.entries(properties)) {
      const rows = members.get(name) ?? new Map<string, Member>();
      const row = rowOf(schema);
      rows.set(row, { name, schema, kinds: [...(rows.get(row)?.kinds ?? []), kind] });
      members.set(name, rows);
    }
  }
  members.delete('kind');
  return [...members.values()].flatMap((rows) => [...rows.values()]);
};

/** A row of a table of members. `all`: the number of kinds; undefined for members without kinds. */
const memberRow = ({ name, schema, kinds }: Member, all: number | undefined): string => {
  const choices = schema.enum ? ` One of ${schema.enum.map((one) => `\`${String(one)}\``).join(', ')}.` : '';
  const what = cell((schema.description ?? '') + choices);
  if (all === undefined) return `| \`${name}\` | ${what} |`;
  const value = schema.default;
  const isEmpty = value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  const shown = isEmpty ? '' : `\`${String(value)}\``;
  const of = kinds.length === all ? 'all' : kinds.join(', ');
  return `| \`${name}\` | ${of} | ${shown} | ${what} |`;
};

/** The rows of members without kinds; those of a section by their whole names. */
const rowsOf = (properties: JsonSchema['properties'] = {}, section = ''): string =>
  Object.entries(properties)
    .map(([name, schema]) =>
      schema.properties === undefined
        ? memberRow({ name: section + name, schema, kinds: [] }, undefined)
        : rowsOf(schema.properties, `${section}${name}.`),
    )
    .join('\n');

/** The members of the items of a list. */
const memberTable = (list: JsonSchema | undefined): string =>
  ['| member | what it does |', '| --- | --- |', rowsOf(list?.items?.properties)].join('\n');

/** The section about the items of `accounts.directories`. */
const directoryDocs = (schema: JsonSchema): string => {
  const kinds = schema.properties?.accounts?.properties?.directories?.items?.oneOf ?? [];
  return `## Members of directories

The members of a directory in \`accounts.directories\`. The variable \`ACCOUNTS_DIRECTORIES\` has the list as JSON. The secret
of a directory has a variable of its own, with the name of the directory: \`ACCOUNTS_DIRECTORY_<NAME>_BIND_PASSWORD\` (\`ldap\`)
and \`ACCOUNTS_DIRECTORY_<NAME>_TOKEN\` (\`http\`), each also with \`_FILE\`.

| kind | users |
| --- | --- |
${kinds.map(({ properties = {} }) => `| \`${properties.kind?.const}\` | ${cell(properties.kind?.description ?? '')} |`).join('\n')}

| member | kinds | default | what it does |
| --- | --- | --- | --- |
${membersOf(kinds)
  .map((member) => memberRow(member, kinds.length))
  .join('\n')}
`;
};

/** The section about the items of `accounts.providers`. */
const providerDocs = (schema: JsonSchema): string => {
  const kinds = schema.properties?.accounts?.properties?.providers?.items?.oneOf ?? [];
  return `## Members of providers

The members of a provider in \`accounts.providers\`. The variable \`ACCOUNTS_PROVIDERS\` has the list as JSON. The secrets of a
provider have variables of their own, with the name of the provider: \`ACCOUNTS_PROVIDER_<NAME>_CLIENT_SECRET\` (\`oidc\`),
\`ACCOUNTS_PROVIDER_<NAME>_PRIVATE_KEY\` and \`ACCOUNTS_PROVIDER_<NAME>_DECRYPTION_KEY\` (\`saml\`), each also with \`_FILE\`. See [Sign in with another provider](../guides/sign-in-with.md).

| member | kinds | default | what it does |
| --- | --- | --- | --- |
${membersOf(kinds)
  .map((member) => memberRow(member, kinds.length))
  .join('\n')}
`;
};

/** The section about the items of `accounts.scim.tokens`. */
const scimTokenDocs = (schema: JsonSchema): string => `## Members of SCIM tokens

The members of a token in \`accounts.scim.tokens\`. The variable \`ACCOUNTS_SCIM_TOKENS\` has the list as JSON. The value of a token
has a variable of its own, with its name: \`ACCOUNTS_SCIM_TOKEN_<NAME>\`, also with \`_FILE\`. See
[Provision users by SCIM](../guides/scim.md).

${memberTable(schema.properties?.accounts?.properties?.scim?.properties?.tokens)}
`;

/** The section about the items of `accounts.organizations`. */
const organizationDocs = (schema: JsonSchema): string => `## Members of organizations

The members of an organization in \`accounts.organizations\`. The variable \`ACCOUNTS_ORGANIZATIONS\` has the list as JSON. See
[Organizations](../guides/organizations.md).

${memberTable(schema.properties?.accounts?.properties?.organizations)}
`;

/** The section about the items of `events.webhooks`. */
const webhookDocs = (schema: JsonSchema): string => `## Members of webhooks

The members of a webhook in \`events.webhooks\`. The variable \`EVENTS_WEBHOOKS\` has the list as JSON. The URL and the secret of a
webhook have variables of their own, with its name: \`EVENTS_WEBHOOK_<NAME>_URL\` and \`EVENTS_WEBHOOK_<NAME>_SECRET\`, each also
with \`_FILE\`. See [Events and webhooks](../guides/events-and-webhooks.md).

${memberTable(schema.properties?.events?.properties?.webhooks)}
`;

/** The section about the items of `clients`. */
const clientDocs = (schema: JsonSchema): string => `## Members of clients

The members of a client in \`clients\`. The variable \`CLIENTS\` has the list as JSON, and \`CLIENTS_FILE\` names a file with it.
The secret of a client has a variable of its own, with the id of the client: \`CLIENT_<ID>_SECRET\`, also with \`_FILE\`. See
[Clients in the configuration](../guides/configured-clients.md).

${memberTable(schema.properties?.clients)}
`;

/** docs/reference/config.schema.json, from the schemas. */
export const configSchemaDocs = (): string => `${JSON.stringify(configJsonSchema(commandSchema), null, 2)}\n`;

/** docs/reference/configuration.md, from the schemas. */
export const configurationDocs = (): string => {
  const schema = configJsonSchema(commandSchema) as JsonSchema;
  return `# Configuration

<!-- Generated from the schemas by \`npm run setup\`. -->

Carnet reads a YAML or JSON file (\`carnet serve --config carnet.yaml\`) and environment variables. Environment variables
override the file.

- A variable whose name ends in \`_FILE\` holds the path of a file with the value.
- Lists in variables are comma-separated.
- Durations (\`ttl\`, and keys that end in \`Seconds\`) are a number of seconds, or text such as \`30m\` or \`720h\`.
- Unknown keys are refused. Carnet reports all problems of a configuration at once.
- A variable whose name is nearly one of Carnet, a former one or one of Ory Hydra has no effect. Carnet warns of it and names the
  right one. With \`CARNET_STRICT=1\`, each of these variables is a problem that stops the start.
- Only the \`carnet\` command reads ${code(commandKeys)}. \`createProvider\` refuses them.
- A file that cannot be read or parsed is one problem, with its line and column.

\`carnet config print\` shows the effective configuration with secrets masked. [config.schema.json](config.schema.json)
(\`carnet config schema\`) is the JSON Schema of a file, for editors.

With \`--dev\` (\`dev: true\`), Carnet generates missing signing keys and secrets, and uses a default store and the URLs of a
consent UI on port 3000. The command \`carnet serve --dev\` keeps them in the folder \`.carnet\`, with an SQLite file as the
store, so that they survive a restart. \`createProvider\` keeps them in memory. Dev mode refuses \`NODE_ENV=production\`.
Without dev mode, a missing value is an error.

Besides the default store, individual record types can have stores of their own: see [scaling.md](../operate/scaling.md).

Each example sets one key. The [members of clients](#members-of-clients), of [directories](#members-of-directories), of [providers](#members-of-providers), of
[organizations](#members-of-organizations), of [SCIM tokens](#members-of-scim-tokens) and of [webhooks](#members-of-webhooks) are at the end.

${settingsDocs()}

${clientDocs(schema)}
${directoryDocs(schema)}
${providerDocs(schema)}
${organizationDocs(schema)}
${scimTokenDocs(schema)}
${webhookDocs(schema)}`;
};
