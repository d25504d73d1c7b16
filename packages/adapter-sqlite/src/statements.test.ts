import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { migrations } from './migrations.ts';
import { prepareStatements } from './statements.ts';

/** How SQLite goes about each statement. */
const plans = (): readonly { readonly text: string; readonly plan: string }[] => {
  const database = new DatabaseSync(':memory:');
  for (const { up } of migrations) database.exec(up);
  const texts: string[] = [];
  const recording = {
    prepare: (text: string) => {
      texts.push(text);
      return database.prepare(text);
    },
  } satisfies Pick<DatabaseSync, 'prepare'>;
  prepareStatements(recording);
  return texts
    .filter((text) => /^(?:select|insert|update|delete)/.test(text))
    .map((text) => {
      const steps = database.prepare(`explain query plan ${text}`).all();
      return { text: text.replace(/\s+/g, ' '), plan: steps.map(({ detail }) => detail).join('; ') };
    });
};

describe('every statement', () => {
  test.each(plans())('$text looks at no more records than it has to', ({ text, plan }) => {
    expect(plan).not.toMatch(/SCAN (?!\(subquery)|TEMP B-TREE/);
    if (!text.startsWith('insert')) expect(plan).toMatch(/SEARCH carnet_record USING/);
  });
});
