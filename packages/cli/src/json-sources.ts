import { readFileSync } from 'node:fs';
import { type JsonObject, objectsIn } from '@carnet/adapter-contract/kit';
import type { Surface } from './command.ts';

const problems = {
  empty: 'is empty',
  not_utf8: 'is not UTF-8. Save it as UTF-8',
  not_json: 'is not valid JSON',
  not_objects: 'must hold an object, or a list of objects',
  one_page: 'has one page of a longer list (is_last_page is false, or next_page_token is set). Export all pages',
} as const;

const objectsOf = (content: string, source: string): readonly JsonObject[] => {
  const read = objectsIn(content);
  if ('objects' in read) return read.objects;
  const place = read.line === undefined ? source : `${source}, line ${read.line}`;
  throw new Error(`${place} ${problems[read.problem]}.`);
};

/** @throws Error that names the file, and `use` */
export const readText = (file: string, use = ''): string => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`${file} can't be read (${(error as NodeJS.ErrnoException).code})${use}.`);
  }
};

/** @throws Error that names the file and does not quote its content */
export const readJsonObjects = (file: string): readonly JsonObject[] => objectsOf(readText(file), file);

/** The objects of all files, or of the standard input when no file is named. */
export const readSources = async (files: readonly string[], surface: Surface): Promise<readonly JsonObject[]> => {
  if (files.length === 0) return objectsOf((await surface.in?.()) || '[]', 'The standard input');
  return files.flatMap(readJsonObjects);
};
