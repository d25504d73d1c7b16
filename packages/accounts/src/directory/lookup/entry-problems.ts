import { normaliseLogin } from '../logins/normalise-login.ts';
import type { DirectoryEntry } from './directory-entry.ts';
import { realmNameOf } from './realms.ts';

export const subjectPrefixOf = ({ directory, subjectPrefix }: DirectoryEntry): string =>
  subjectPrefix ?? `${directory.name}.`;

type Named = readonly { readonly entry: DirectoryEntry; readonly text: string }[];

/** Each pair of entries, the earlier one first. */
const pairs = (named: Named) =>
  named.flatMap((first, index) => named.slice(index + 1).map((second) => [first, second] as const));

const prefixProblems = (entries: readonly DirectoryEntry[]): string[] =>
  pairs(entries.map((entry) => ({ entry, text: subjectPrefixOf(entry) }))).flatMap(([a, b]) => {
    const names = `${a.entry.directory.name} and ${b.entry.directory.name}`;
    if (a.text === b.text)
      return [
        `${names} have the same subjectPrefix ${JSON.stringify(a.text)}: give each its own, at most one of them ''`,
      ];
    if (a.text === '' || b.text === '') return [];
    // "corp." + "eu.7" and "corp.eu." + "7" would be the same subject.
    return a.text.startsWith(b.text) || b.text.startsWith(a.text)
      ? [
          `${names}: one subjectPrefix begins with the other, so that two users could get one subject: change one of them`,
        ]
      : [];
  });

const nameProblems = (entries: readonly DirectoryEntry[]): string[] =>
  pairs(entries.map((entry) => ({ entry, text: entry.directory.name })))
    .filter(([a, b]) => a.text === b.text)
    .map(([a]) => `two directories have the name ${a.text}: give each its own`);

/** The texts by which a login names the realm of an entry, with the sign between the realm and the name. */
const realmTexts = (entry: DirectoryEntry): readonly string[] => [
  ...(entry.realm?.suffixes ?? []).map((each) => `@${each}`),
  ...(entry.realm?.prefixes ?? []).map((each) => `${each}\\`),
];

const realmProblems = (entries: readonly DirectoryEntry[]): string[] => {
  const unusable = entries.flatMap(({ directory, realm }) =>
    [...(realm?.suffixes ?? []), ...(realm?.prefixes ?? [])]
      .filter((text) => normaliseLogin(text) === undefined || /[@\\]/.test(text))
      .map((text) => `${directory.name}: ${JSON.stringify(text)} is no realm: write it without @ and \\`),
  );
  const nameless = entries
    .filter((entry) => entry.realm !== undefined && realmTexts(entry).length === 0)
    .map(
      ({ directory }) => `${directory.name}: its realm has neither suffixes nor prefixes: add one, or remove the realm`,
    );
  const named = entries.flatMap((entry) => realmTexts(entry).map((text) => ({ entry, text: text.toLowerCase() })));
  const contradicting = pairs(named)
    .filter(([a, b]) => a.text === b.text && realmNameOf(a.entry) !== realmNameOf(b.entry))
    .map(
      ([a, b]) =>
        `${a.entry.directory.name} and ${b.entry.directory.name} share ${a.text}: give both the same realm name, which policies use`,
    );
  return [...unusable, ...nameless, ...contradicting];
};

/** The reasons why a list of directories would be unsafe or without effect, each with the remedy. */
export const entryProblems = (entries: readonly DirectoryEntry[]): readonly string[] => [
  ...nameProblems(entries),
  ...prefixProblems(entries),
  ...realmProblems(entries),
];
