import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Elements and styles that a browser loads by itself. Links that a user follows are none. */
const loads =
  /<(?:script|img|iframe|source|video)\b[^>]*\bsrc="(?:https?:)?\/\/|<link\b[^>]*\bhref="(?:https?:)?\/\/|(?:@import|url\()\s*["']?(?:https?:)?\/\//;

/** @throws Error if a page or a style sheet of the site would load something from another host */
export const assertNoOutsideAddress = (outDir: string): void => {
  const files = globSync('**/*.{html,css}', { cwd: outDir });
  const found = files.filter((file) => loads.test(readFileSync(join(outDir, file), 'utf8')));
  if (found.length > 0) throw new Error(`These files load from another host: ${found.join(', ')}`);
};
