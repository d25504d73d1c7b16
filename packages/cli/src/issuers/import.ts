import { bindAdapter, type StorageAdapter } from '@carnet/adapter-contract';
import { type Command, exitCodes, onlyOperand } from '../command.ts';
import { configOptions } from '../config/command-line.ts';
import { linesOf } from '../read-lines.ts';
import { chosenIssuer, createProgress, firstOption, shownName, withAllRecords } from './issuer-store.ts';
import { type ParsedLine, parseLine } from './record-lines.ts';

/** Commits that are under way at once. */
const batchSize = 100;

type RecordLine = Extract<ParsedLine, { type: 'record' }>;

/** Stores a record, unless there is one. Returns whether it was stored. */
const store = async (records: StorageAdapter, { writes }: RecordLine): Promise<boolean> =>
  (await records.commit(writes)) === undefined;

/** The records of a file. @throws Error if the file is damaged or not whole; the records before that have been stored */
async function* recordsIn(lines: AsyncIterable<string>): AsyncGenerator<RecordLine> {
  let number = 0;
  let count = 0;
  let last: ParsedLine | undefined;
  for await (const line of lines) {
    number += 1;
    if (line === '') continue;
    const parsed = parseLine(line);
    const isExpected = parsed && (last === undefined) === (parsed.type === 'header') && last?.type !== 'end';
    if (!isExpected) throw new Error(`Line ${number} is not as \`carnet issuers export\` writes it.`);
    last = parsed;
    if (parsed.type !== 'record') continue;
    count += 1;
    yield parsed;
  }
  if (last?.type !== 'end' || last.records !== count) throw new Error('The file is not whole: lines are missing.');
}

export const issuersImport: Command = {
  name: 'issuers import',
  summary:
    'Store the records of a file that `issuers export` has written. Records that exist are kept: the command may be repeated.',
  options: { ...firstOption, ...configOptions },
  operands: '<name> <file, or - for the standard input>',
  examples: ['carnet issuers import acme acme.jsonl --config carnet.yaml'],
  run: async (values, surface, operands) => {
    const { name, rest } = chosenIssuer(values, operands);
    const file = onlyOperand(rest, 'file');
    const counts = { stored: 0, kept: 0 };
    await withAllRecords(values, surface, async (all) => {
      const records = bindAdapter(all, name);
      const onProgress = createProgress(surface, 'read');
      let batch: RecordLine[] = [];
      const storeBatch = async () => {
        const outcomes = await Promise.all(batch.map((line) => store(records, line)));
        counts.stored += outcomes.filter(Boolean).length;
        counts.kept += outcomes.filter((isStored) => !isStored).length;
        batch = [];
        onProgress(counts.stored + counts.kept);
      };
      for await (const line of recordsIn(linesOf(file, surface))) {
        batch.push(line);
        if (batch.length === batchSize) await storeBatch();
      }
      await storeBatch();
    });
    surface.out(`${counts.stored} records of ${shownName(name)} stored, ${counts.kept} existed.`);
    return exitCodes.ok;
  },
};
