import { writeFileSync } from 'node:fs';
import { configurationDocs } from './configuration.ts';

writeFileSync(new URL('../../docs/configuration.md', import.meta.url), configurationDocs());
