import { z } from 'zod';
import { type Env, type Report, readNamedFile } from '../brand/read-brand.ts';
import { allLanguages, type Language } from '../messages/languages.ts';

/** The operator's texts of scopes, by scope and language. */
export type ScopeTexts = ReadonlyMap<string, Readonly<Partial<Record<Language, string>>>>;

const scopesFile = z.record(
  z.string().min(1),
  z
    .partialRecord(z.enum(allLanguages), z.string().min(1))
    .refine((texts) => Object.keys(texts).length > 0, { error: 'a scope needs a text in one language at least' }),
);

const maximumBytes = 256 * 1024;

/** Reads `UI_SCOPES_FILE`. Reports every problem that it finds. */
export const readScopes = (env: Env, report: Report): ScopeTexts => {
  const content = readNamedFile(env, 'UI_SCOPES_FILE', maximumBytes, report);
  if (!content) return new Map();
  try {
    const result = scopesFile.safeParse(JSON.parse(Buffer.from(content).toString('utf8')));
    if (result.success) return new Map(Object.entries(result.data));
    for (const { path, message } of result.error.issues) report(`UI_SCOPES_FILE: ${path.join('.')}: ${message}`);
  } catch (error) {
    report(`UI_SCOPES_FILE is not JSON: ${(error as Error).message}`);
  }
  return new Map();
};
