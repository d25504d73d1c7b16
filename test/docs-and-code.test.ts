import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const homes = ['packages/provider/src/', 'packages/provider/', 'packages/cli/src/', ''];

/** `name` in `file.ts`, `file.ts`: what a document says of the code. */
const reference = /(?:`(?<name>[\w.]+)[^`]*` in )?`(?<path>(?:[\w-]+\/)+[\w.-]+\.ts)`/g;

const problemOf = ({ name, path = '' }: Record<string, string | undefined>): string | undefined => {
  const home = homes.find((each) => existsSync(root + each + path));
  if (home === undefined) return `${path} is not there`;
  const isThere = name === undefined || readFileSync(root + home + path, 'utf8').includes(name);
  return isThere ? undefined : `${name} is not in ${path}`;
};

const problems = (text: string): readonly string[] =>
  [...text.matchAll(reference)].map(({ groups = {} }) => problemOf(groups)).filter((each) => each !== undefined);

describe('what the documents say of the code', () => {
  it.each(['docs/concepts/security.md', 'docs/concepts/architecture.md'])(
    '%s names files and symbols that are there',
    (path) => {
      expect(problems(readFileSync(root + path, 'utf8'))).toEqual([]);
    },
  );

  it('a missing file or symbol is found', () => {
    expect(
      problems('`claim` in `oidc/models/no-model.ts`, `no` in `errors.ts`, `nowhere` in `flow/flow-id.ts`'),
    ).toEqual(['oidc/models/no-model.ts is not there', 'nowhere is not in flow/flow-id.ts']);
  });
});
