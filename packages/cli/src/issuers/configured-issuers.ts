import { isTree } from '@carnet/provider/config';
import type { Surface, Values } from '../command.ts';
import { loadPartsFromCommandLine } from '../config/command-line.ts';

/** The URLs of the issuers that are configured. The first has no name. */
export interface ConfiguredIssuers {
  readonly first: string | undefined;
  readonly named: ReadonlyMap<string, string | undefined>;
}

const urlOf = (own: unknown): string | undefined =>
  isTree(own) && typeof own.issuer === 'string' ? own.issuer : undefined;

/** Reads the section `issuers`, with the variables that belong to it. @throws ConfigError */
export const readConfiguredIssuers = (values: Values, surface: Pick<Surface, 'env'>): ConfiguredIssuers => {
  const { issuer, issuers = {} } = loadPartsFromCommandLine(values, surface, ['issuer', 'issuers']);
  return { first: issuer, named: new Map(Object.entries(issuers).map(([name, own]) => [name, urlOf(own)])) };
};
