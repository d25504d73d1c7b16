import { writeFileSync } from 'node:fs';
import { configInputSource } from './config-input.ts';
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

writeFileSync(new URL('../../packages/provider/src/config/config-input.ts', import.meta.url), configInputSource());

for (const [name, content] of Object.entries(files)) {
  writeFileSync(new URL(`../../docs/${name}`, import.meta.url), content);
}
