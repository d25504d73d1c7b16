import { writeFileSync } from 'node:fs';
import { generated } from './generated.ts';

for (const [path, render] of Object.entries(generated)) {
  writeFileSync(new URL(`../../${path}`, import.meta.url), await render());
}
