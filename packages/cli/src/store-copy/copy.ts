import { bindAdapter } from '@carnet/adapter-contract';
import { assertFits } from '@carnet/provider/storage';
import { type Command, exitCodes, type Surface, text, UsageError, type Values } from '../command.ts';
import { configOptions } from '../config/command-line.ts';
import { outputOptions } from '../output.ts';
import { withRecords } from '../records/open-records.ts';
import { chosenStores } from './chosen-stores.ts';
import { areEqual, compareStores, type Pair } from './compare-stores.ts';
import { copyRecords } from './copy-records.ts';
import { showComparison } from './show-comparison.ts';
import { assertEmpty, assertIsCopy, assertSeparate } from './target.ts';

/** The records of the issuer that the options name. Default: of all issuers. */
const ofIssuer = (values: Values): ((pair: Pair) => Pair) => {
  const name = text(values, 'issuer');
  if (name !== undefined && values.first === true) throw new UsageError('Give --issuer or --first, not both.');
  if (name === undefined && values.first !== true) return (pair) => pair;
  return ({ source, target }) => ({ source: bindAdapter(source, name), target: bindAdapter(target, name) });
};

const withPair = <T>(values: Values, surface: Surface, work: (pair: Pair) => Promise<T>): Promise<T> => {
  const { from, to } = chosenStores(values, surface);
  const bind = ofIssuer(values);
  return withRecords(from, (source) =>
    withRecords(to, async (target, stores) => {
      assertFits(stores, { dev: false });
      await Promise.all([source.ping(), target.ping()]);
      return work(bind({ source, target }));
    }),
  );
};

const copyAndCompare = async (values: Values, surface: Surface, pair: Pair) => {
  if (values['dry-run'] === true) return { comparison: await compareStores(pair, surface) };
  await (values.again === true ? assertIsCopy(pair) : assertEmpty(pair));
  await assertSeparate(pair);
  const copied = await copyRecords(pair, surface);
  return { copied, comparison: await compareStores(pair, surface) };
};

export const storeCopy: Command = {
  name: 'store copy',
  summary:
    'Copy all unexpired records to another store: clients, keys, grants, tokens, sessions, consents and all others. Then compare the stores. Exit code 1 if they differ.',
  options: {
    from: {
      type: 'string',
      value: 'URL or file',
      summary: 'The source: a URL, or a configuration file with its stores. Default: the configured stores.',
    },
    to: {
      type: 'string',
      value: 'URL or file',
      summary: 'The target, in the same form. It must be migrated, and empty unless --again is given.',
    },
    again: {
      type: 'boolean',
      summary:
        'Continue an interrupted copy, or bring a copy up to date: records of the target that differ are changed or removed.',
    },
    'dry-run': { type: 'boolean', summary: 'Only compare the stores.' },
    issuer: { type: 'string', value: 'name', summary: 'Only the records of this issuer. Default: of all issuers.' },
    first: { type: 'boolean', summary: 'Only the records of the first issuer, which has no name.' },
    format: outputOptions.format,
    ...configOptions,
  },
  examples: [
    'carnet store copy --from sqlite:carnet.db --to sqlite:copy.db',
    'carnet store copy --from sqlite:carnet.db --to sqlite:copy.db --again',
  ],
  run: async (values, surface) => {
    const result = await withPair(values, surface, (pair) => copyAndCompare(values, surface, pair));
    await showComparison(values, surface, result);
    return areEqual(result.comparison) ? exitCodes.ok : exitCodes.failed;
  },
};
