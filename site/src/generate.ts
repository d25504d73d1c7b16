import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminApiPages } from './admin-api/pages.ts';
import { writeApiReference } from './api-reference/generate.ts';
import { root } from './repository.ts';

const folder = join(root, 'site/generated/reference');

const write = (below: string, pages: Readonly<Record<string, string>>): void => {
  mkdirSync(join(folder, below), { recursive: true });
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, below, name), `${text}\n`);
};

rmSync(folder, { recursive: true, force: true });
write('admin-api', adminApiPages());
await writeApiReference(join(folder, 'api'));

for (const name of ['openapi.json', 'config.schema.json']) {
  cpSync(join(root, 'docs/reference', name), join(root, 'site/generated/public/reference', name));
}
