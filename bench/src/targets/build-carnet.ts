import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { note } from '../studies/study.ts';

const root = new URL('../../../', import.meta.url);
const compiler = fileURLToPath(new URL('node_modules/.bin/tsc', root));

/** In the order of their imports: contracts, adapters, accounts (dev mode opens them) and events, provider, issuers and console, command. */
const packages = (): readonly string[] => {
  const adapters = readdirSync(new URL('packages/', root)).filter((name) => /^adapter-(?!contract$)/.test(name));
  return [
    'adapter-contract',
    'signer-contract',
    ...adapters,
    'accounts',
    'accounts-sql',
    'scim',
    'events',
    'provider',
    'issuers',
    'console',
    'cli',
  ];
};

/** Compiles the server and its stores into their `dist`, so that no earlier build is measured. */
export const buildCarnet = (): void => {
  note('building');
  for (const name of packages()) {
    execFileSync(compiler, ['-p', 'tsconfig.build.json'], {
      cwd: fileURLToPath(new URL(`packages/${name}/`, root)),
      stdio: ['ignore', 2, 2],
    });
  }
};
