import { readFileSync } from 'node:fs';
import { isObject, parseJson } from '@carnet/adapter-contract/kit';
import type { Surface } from './command.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** One object, a list of them, or a page as `list ... --format json` prints it. */
const objectsIn = (content: string, source: string): readonly JsonObject[] => {
  const value = parseJson(content);
  if (value === undefined) throw new Error(`${source} is not valid JSON.`);
  const items = isObject(value) && Array.isArray(value.items) ? value.items : [value].flat();
  if (!items.every(isObject)) throw new Error(`${source} must hold an object, or a list of objects.`);
  return items;
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
export const readJsonObjects = (file: string): readonly JsonObject[] => objectsIn(readText(file), file);

/** The objects of all files, or of the standard input when no file is named. */
export const readSources = async (files: readonly string[], surface: Surface): Promise<readonly JsonObject[]> => {
  if (files.length === 0) return objectsIn((await surface.in?.()) || '[]', 'The standard input');
  return files.flatMap(readJsonObjects);
};
