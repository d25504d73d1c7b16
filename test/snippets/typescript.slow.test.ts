import { expect, test } from 'vitest';
import { allBlocks, blockOf } from './blocks.ts';
import { isTypeScript, verdictOf } from './rules.ts';
import { typeErrorsIn } from './typescript.ts';

test('the TypeScript of the documents fits the packages', async () => {
  const blocks = allBlocks().filter((block) => isTypeScript(block) && verdictOf(block).how === 'checked');
  const wrong = blockOf('ts', 'const { isuer } = carnet;\nreturn isuer;', '<!-- snippet: given carnet -->');
  // The last block shows that errors are found, with their line in the document.
  expect(await typeErrorsIn([...blocks, wrong])).toEqual([expect.stringMatching(/^docs\/guides\/a\.md:3 .*isuer/)]);
});
