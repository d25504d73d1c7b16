import { readFileSync } from 'node:fs';
import { type HydraKey, hydraKeys } from '../../packages/cli/src/config/hydra/hydra-keys.ts';
import { targetOf } from '../../packages/cli/src/from-hydra/convert.ts';
import { spellingsOf } from '../../packages/cli/src/help/help.ts';
import { commands } from '../../packages/cli/src/run.ts';
import { apiDocument, publicSurface } from '../../packages/provider/test/api-document.ts';
import { adminOperations, type HydraRow, hydraCommands, protocolFeatures, publicEndpoints } from './hydra-surface.ts';

type Row = readonly [name: string, state: string];

const cell = (text: string): string => text.replaceAll('|', '\\|');

const table = (head: string, rows: readonly Row[]): string =>
  [`| ${head} | here |`, '| --- | --- |', ...rows.map(([name, state]) => `| ${cell(name)} | ${cell(state)} |`)].join(
    '\n',
  );

/** What is said of a row: whether it is there was asked, how it differs is known. */
const stateOf = (isThere: boolean, { differs, reason }: HydraRow): string => {
  if (!isThere) return `**no.** ${reason ?? 'Not yet.'}`;
  return differs === undefined ? 'works' : `works, differs: ${differs}`;
};

const publicRows = (present: ReadonlySet<string>): Row[] =>
  publicEndpoints.map((row) => [`\`${row.endpoint}\``, stateOf(present.has(row.endpoint), row)]);

const adminRows = async (): Promise<Row[]> => {
  const { paths } = await apiDocument();
  const places = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`]),
    ),
  );
  return adminOperations.map((row) => {
    const place = places.get(row.operation);
    return [`${row.operation}${place === undefined ? '' : ` \`${place}\``}`, stateOf(place !== undefined, row)];
  });
};

const featureRows = (metadata: Readonly<Record<string, unknown>>): Row[] =>
  protocolFeatures.map((row) => {
    const { feature, member, value = true } = row;
    const said = metadata[member];
    return [feature, stateOf(Array.isArray(said) ? said.includes(value) : said === value, row)];
  });

const commandRows = (): Row[] =>
  hydraCommands.map((row) => {
    const isThere = commands.some((command) => {
      const [name = '', ...operands] = row.command.split(' ');
      return (
        spellingsOf(command).includes(row.command) ||
        (command.name === name && operands.every((operand) => command.operands?.includes(operand)))
      );
    });
    return [`\`hydra ${row.command}\``, stateOf(isThere, row)];
  });

const keyState = (row: HydraKey): string => {
  const to = targetOf(row);
  if (to === undefined) return `**no.** ${row.to === undefined ? (row.reason ?? '') : 'Not yet.'}`.trim();
  return row.reason === undefined ? `\`${to}\`` : `\`${to}\`. ${row.reason}`;
};

const document = new URL('../../docs/migrate/from-hydra.md', import.meta.url);
const marked = /(<!-- table: (\w+) -->\n\n).*?(\n\n<!-- \/table -->)/gs;

/** docs/migrate/from-hydra.md: its tables say what a running provider answers, or are made of the table that is used. */
export const fromHydraDocs = async (): Promise<string> => {
  const { metadata, present } = await publicSurface(publicEndpoints.map(({ endpoint }) => endpoint));
  const tables = new Map([
    ['publicEndpoints', table('public endpoint', publicRows(present))],
    ['adminOperations', table('admin operation', await adminRows())],
    ['features', table('feature', featureRows(metadata))],
    [
      'keys',
      table(
        "Hydra's key",
        hydraKeys.map((row) => [`\`${row.key}\``, keyState(row)]),
      ),
    ],
    ['commands', table("Hydra's command", commandRows())],
  ]);
  const written = readFileSync(document, 'utf8').replaceAll(marked, (_, begin, name, end) => {
    const rows = tables.get(name);
    tables.delete(name);
    return `${begin}${rows}${end}`;
  });
  if (tables.size > 0) throw new Error(`docs/migrate/from-hydra.md has no table ${[...tables.keys()].join(', ')}`);
  return written;
};
