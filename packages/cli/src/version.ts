import { readFileSync } from 'node:fs';
import type { Command } from './command.ts';

const readVersion = (): string => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
};

export const versionCommand: Command = {
  name: 'version',
  summary: 'Print the version.',
  options: {},
  examples: ['carnet version'],
  run: (_values, { out }) => {
    out(readVersion());
  },
};
