import { writeFileSync } from 'node:fs';
import { configSchemaDocs, configurationDocs } from './configuration.ts';
import { conformanceDocs } from './conformance.ts';
import { fromHydraDocs } from './from-hydra.ts';
import { openApiDocs } from './openapi.ts';

const files = {
  'configuration.md': configurationDocs(),
  'config.schema.json': configSchemaDocs(),
  'conformance.md': conformanceDocs(),
  'openapi.json': await openApiDocs(),
  'from-hydra.md': await fromHydraDocs(),
};

for (const [name, content] of Object.entries(files)) {
  writeFileSync(new URL(`../../docs/${name}`, import.meta.url), content);
}
