// Before the command is compiled: writes `src/help/tables.ts`, which git ignores.
import { writeFileSync } from 'node:fs';
import { helpTables } from './help-tables.ts';

writeFileSync(new URL('../src/help/tables.ts', import.meta.url), helpTables());
