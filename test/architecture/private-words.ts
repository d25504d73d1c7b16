import type { SourceFile } from './source-file.ts';

/** Words and phrases that names must not contain, because readers do not know what they mean here. */
const banned = [
  'allowance',
  'allowances',
  'beginning',
  'go on',
  'goes on',
  'going on',
  'hand over',
  'handed over',
  'lane',
  'lanes',
  'lean',
  'let go',
  'nobody',
  'none the worse',
  'odd',
  'people',
  'person',
  'persons',
  'somebody',
  'spill',
  'spilled',
  'stands',
  'stranger',
  'strangers',
  'tell',
  'told',
  'touchy',
  'unconcerned',
  'vouch',
  'vouched',
  'whoever',
] as const;

/** `createGoingOn` and `going-on.ts` -> ` create going on `. */
const wordsOf = (name: string): string =>
  ` ${name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z\d]+/g, ' ')
    .toLowerCase()} `;

const bannedIn = (name: string): string | undefined => banned.find((word) => wordsOf(name).includes(` ${word} `));

/** Identifiers and file names that contain a banned word. */
export const privateWords = (files: readonly SourceFile[]): string[] =>
  files.flatMap(({ path, names }) =>
    [...path.split('/'), ...names].flatMap((name) => {
      const word = bannedIn(name);
      return word === undefined ? [] : [`${path}: ${name} contains "${word}"`];
    }),
  );

/** Names that readers do not understand by themselves: state what is known, and what `plain` is the opposite of. */
const vague = ['known', 'plain'];

/**
 * The number of files, tests among them, that still have a private word or a vague name. These ceilings may only
 * shrink: lower one when a file is corrected.
 */
const privateWordCeilings: Readonly<Record<string, number>> = {
  beginning: 4,
  'go on': 1,
  known: 91,
  nobody: 2,
  odd: 8,
  people: 5,
  person: 22,
  persons: 1,
  plain: 27,
  spilled: 1,
  stranger: 9,
  strangers: 1,
  tell: 6,
  told: 5,
};

/** Words in more files than their ceiling allows, with those files. `peopleDn` is the `ou=people` of LDAP. */
export const privateWordsOverCeiling = (files: readonly SourceFile[], ceilings = privateWordCeilings): string[] => {
  const paths = new Map<string, Set<string>>();
  for (const { path, names } of files) {
    for (const name of [...path.split('/'), ...names]) {
      const word = name === 'peopleDn' ? undefined : (vague.find((one) => one === name) ?? bannedIn(name));
      if (word !== undefined) paths.set(word, (paths.get(word) ?? new Set()).add(path));
    }
  }
  return [...paths].flatMap(([word, found]) =>
    found.size > (ceilings[word] ?? 0) ? [`"${word}" in ${found.size} files: ${[...found].join(', ')}`] : [],
  );
};
