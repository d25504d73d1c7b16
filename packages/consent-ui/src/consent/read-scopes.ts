import { z } from 'zod';
import { readNamedFile } from '../brand/read-brand.ts';
import { allLanguages, type Language } from '../messages/languages.ts';
import type { Checked } from '../settings/read-settings.ts';

/** The operator's texts of scopes, by scope and language. */
export type ScopeTexts = ReadonlyMap<string, Readonly<Partial<Record<Language, string>>>>;

const scopesFile = z.record(
  z.string().min(1),
  z
    .partialRecord(z.enum(allLanguages), z.string().min(1))
    .refine((texts) => Object.keys(texts).length > 0, { error: 'a scope needs a text in one language at least' }),
);

const maximumBytes = 256 * 1024;

/** Reads the texts of scopes. Reports every problem that it finds. */
export const readScopes = (checked: Checked): ScopeTexts => {
  const { report } = checked;
  const name = checked.nameOf('scopesFile');
  const content = readNamedFile(checked, 'scopesFile', maximumBytes);
  if (!content) return new Map();
  try {
    const result = scopesFile.safeParse(JSON.parse(Buffer.from(content).toString('utf8')));
    if (result.success) return new Map(Object.entries(result.data));
    for (const { path, message } of result.error.issues) report(`${name}: ${path.join('.')}: ${message}`);
  } catch (error) {
    report(`${name} is not JSON: ${(error as Error).message}`);
  }
  return new Map();
};
