import { writeFileSync } from 'node:fs';
import { chartReadmeDocs, chartSchemaDocs } from './chart-values.ts';
import { commandsDocs } from './commands.ts';
import { configInputSource } from './config-input.ts';
import { configSchemaDocs, configurationDocs } from './configuration.ts';
import { conformanceDocs } from './conformance.ts';
import { fromHydraDocs } from './from-hydra.ts';
import { helpTables } from './help-tables.ts';
import { documentsWithIncludes } from './includes.ts';
import { openApiDocs } from './openapi.ts';

const files = {
  'reference/commands.md': commandsDocs(),
  'reference/configuration.md': configurationDocs(),
  'reference/config.schema.json': configSchemaDocs(),
  'concepts/conformance.md': conformanceDocs(),
  'reference/openapi.json': await openApiDocs(),
  'migrate/from-hydra.md': await fromHydraDocs(),
};

writeFileSync(new URL('../../packages/provider/src/config/config-input.ts', import.meta.url), configInputSource());

const chart = new URL('../../deploy/chart/', import.meta.url);
writeFileSync(new URL('values.schema.json', chart), chartSchemaDocs());
writeFileSync(new URL('README.md', chart), chartReadmeDocs());

for (const [name, content] of Object.entries(files)) {
  writeFileSync(new URL(`../../docs/${name}`, import.meta.url), content);
}

// After the documents of which it has tables.
writeFileSync(new URL('../../packages/cli/src/help/tables.ts', import.meta.url), helpTables());

for (const [path, content] of documentsWithIncludes()) {
  writeFileSync(new URL(`../../${path}`, import.meta.url), content);
}
