import { isTree } from '@carnet/provider/config';
import { type Surface, text, type Values } from '../command.ts';
import { loadPartsFromCommandLine } from '../config/command-line.ts';
import { readConfigFile } from '../config/read-file.ts';

/** The URLs of the issuers that are configured. The first has no name. */
export interface ConfiguredIssuers {
  readonly first: string | undefined;
  readonly named: ReadonlyMap<string, string | undefined>;
}

/** Reads the section `issuers` of the configuration. */
export const readConfiguredIssuers = (values: Values, surface: Pick<Surface, 'env'>): ConfiguredIssuers => {
  const { issuer } = loadPartsFromCommandLine(values, surface, ['issuer']);
  const file = text(values, 'config');
  const { issuers } = file === undefined ? {} : readConfigFile(file);
  const named = Object.entries(isTree(issuers) ? issuers : {}).map(
    ([name, own]) => [name, isTree(own) && typeof own.issuer === 'string' ? own.issuer : undefined] as const,
  );
  return { first: issuer, named: new Map(named) };
};
