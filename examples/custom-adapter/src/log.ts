import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FoundRecord, StoreUnfitError } from '@carnet/adapter-contract';
import { type Changes, isLive, type Records } from './commit.ts';

const parseDate = (date: unknown): Date | null => (date === null ? null : new Date(date as string));

const parseLine = (line: string): [string, FoundRecord | null][] =>
  (JSON.parse(line) as [string, FoundRecord | null][]).map(([name, record]) => [
    name,
    record && { ...record, expiresAt: parseDate(record.expiresAt), consumedAt: parseDate(record.consumedAt) },
  ]);

export const applyTo = (records: Records, changes: Iterable<[string, FoundRecord | null]>): void => {
  for (const [name, record] of changes) record ? records.set(name, record) : records.delete(name);
};

/** What the lines come to. A last one without its end belongs to a commit that was never answered. */
const replay = async (path: string): Promise<Records> => {
  const records: Records = new Map();
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  for (const [index, line] of text.split('\n').slice(0, -1).entries()) {
    try {
      applyTo(records, parseLine(line));
    } catch (cause) {
      throw new StoreUnfitError(`${path} is damaged in line ${index + 1}: restore it from a backup.`, { cause });
    }
  }
  for (const [name, record] of records) if (!isLive(record, Date.now())) records.delete(name);
  return records;
};

/** A line for each commit: it is there whole or not at all. What still lives of an old log is the first line of a new one. */
export const openLog = async (path: string) => {
  const records = await replay(path);
  const file = await open(`${path}.new`, 'w', 0o600);
  let isWhole = true;

  /** Resolves when the disk has it. After a failure nobody knows how the log ends: nothing more may be written to it. */
  const append = async (changes: Changes): Promise<void> => {
    if (!isWhole) throw new StoreUnfitError(`A commit could not be written to ${path}: make room and restart.`);
    isWhole = false;
    await file.appendFile(`${JSON.stringify([...changes])}\n`);
    await file.sync();
    isWhole = true;
  };

  await append(records);
  await rename(`${path}.new`, path);
  const folder = await open(dirname(path), 'r');
  await folder.sync().finally(() => folder.close());
  return { records, append, close: () => file.close() };
};
