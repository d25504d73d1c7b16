import { issuerPrefix, type StorageAdapter } from '@carnet/adapter-contract';
import { composeStores, openStores } from '@carnet/provider/storage';
import { onlyOperand, type Surface, UsageError, type Values } from '../command.ts';
import { loadPartsFromCommandLine } from '../config/command-line.ts';

/** Runs `work` on the records of all issuers in the configured stores. */
export const withAllRecords = async <T>(
  values: Values,
  surface: Pick<Surface, 'env'>,
  work: (store: StorageAdapter) => Promise<T>,
): Promise<T> => {
  const { storage } = loadPartsFromCommandLine(values, surface, ['storage']);
  const { stores, close } = await openStores(storage);
  try {
    return await work(composeStores(stores));
  } finally {
    await close();
  }
};

/** The name of the command line. @throws UsageError if an issuer can't have it */
export const issuerName = (operand: string): string => {
  try {
    issuerPrefix(operand);
    return operand;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause));
  }
};

export const firstOption = {
  first: { type: 'boolean', summary: 'The first issuer, which has no name, instead of NAME.' },
} as const;

/** The issuer that an option or an operand names, and the operands after it. Undefined: the first one. */
export const chosenIssuer = (
  values: Values,
  operands: readonly string[],
): { readonly name: string | undefined; readonly rest: readonly string[] } => {
  if (values.first === true) return { name: undefined, rest: operands };
  const [name, ...rest] = operands;
  return { name: issuerName(onlyOperand(name === undefined ? [] : [name], 'name of an issuer')), rest };
};

/** How an issuer is called in messages. */
export const shownName = (name: string | undefined): string => name ?? 'the first issuer';

const progressMs = 5_000;

/** Reports progress on long work from time to time. */
export const createProgress = ({ err }: Pick<Surface, 'err'>, what: string) => {
  let reportedAt = performance.now();
  return (count: number): void => {
    if (performance.now() - reportedAt < progressMs) return;
    reportedAt = performance.now();
    err(`${count} records ${what} ...`);
  };
};

/** All records of an issuer, in pages. */
export const scanPages = async function* (store: StorageAdapter, prefix?: string) {
  for (let after: string | undefined; ; ) {
    const { records, next } = await store.scan({ limit: 500, after, prefix });
    yield records;
    if (next === undefined) return;
    after = next;
  }
};
