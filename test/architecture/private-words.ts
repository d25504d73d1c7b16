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
  'nobody',
  'odd',
  'people',
  'person',
  'persons',
  'somebody',
  'spill',
  'spilled',
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
