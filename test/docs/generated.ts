import { helpTables } from '../../packages/cli/scripts/help-tables.ts';
import { chartSchemaDocs } from './chart-values.ts';
import { commandsDocs } from './commands.ts';
import { configSchemaDocs, configurationDocs } from './configuration.ts';
import { eventsDocs } from './events.ts';
import { openApiDocs } from './openapi.ts';

/** Renders each file of `scripts/generated.mjs`, by its path in the repository. */
export const generated: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/reference/commands.md': commandsDocs,
  'docs/reference/configuration.md': configurationDocs,
  'docs/reference/config.schema.json': configSchemaDocs,
  'docs/reference/events.md': eventsDocs,
  'docs/reference/openapi.json': openApiDocs,
  'deploy/chart/values.schema.json': chartSchemaDocs,
  'packages/cli/src/help/tables.ts': helpTables,
};
