import { readFileSync } from 'node:fs';
import type { Surface } from './command.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One object, a list of them, or a page as `list ... --format json` prints it. */
const objectsIn = (content: string, source: string): readonly JsonObject[] => {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new Error(`${source} is not valid JSON.`);
  }
  const items = isObject(value) && Array.isArray(value.items) ? value.items : [value].flat();
  if (!items.every(isObject)) throw new Error(`${source} must hold an object, or a list of objects.`);
  return items;
};

/** @throws Error that names the file and does not quote its content */
export const readJsonObjects = (file: string): readonly JsonObject[] => {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  return objectsIn(content, file);
};

/** The objects of all files, or of the standard input when no file is named. */
export const readSources = async (files: readonly string[], surface: Surface): Promise<readonly JsonObject[]> => {
  if (files.length === 0) return objectsIn((await surface.in?.()) || '[]', 'The standard input');
  return files.flatMap(readJsonObjects);
};
