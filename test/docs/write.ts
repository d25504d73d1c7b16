// `npm run docs:write`: writes the documents in git that are generated, in part or as a whole.
import { writeFileSync } from 'node:fs';
import { chartReadmeDocs } from './chart-values.ts';
import { configInputSource } from './config-input.ts';
import { conformanceDocs } from './conformance.ts';
import { fromHydraDocs } from './from-hydra.ts';
import { documentsWithIncludes } from './includes.ts';

const write = (path: string, content: string): void => {
  writeFileSync(new URL(`../../${path}`, import.meta.url), content);
};

write('packages/provider/src/config/config-input.ts', configInputSource());
write('deploy/chart/README.md', chartReadmeDocs());
write('docs/concepts/conformance.md', conformanceDocs());
write('docs/migrate/from-hydra.md', await fromHydraDocs());
for (const [path, content] of documentsWithIncludes()) write(path, content);

// Last: these have tables of the documents above.
await import('./write-generated.ts');
