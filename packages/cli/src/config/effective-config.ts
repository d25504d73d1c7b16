import { ConfigError, getAt, mergeTrees, redact, type Tree, withAt } from '@carnet/provider/config';
import { describedSettings } from './described-settings.ts';
import { type Examination, examine, type LoadOptions } from './load-config.ts';
import { parseConfigText, readConfigFile } from './read-file.ts';
import { commandSchema } from './schema.ts';

interface EffectiveSetting {
  readonly key: string;
  /** As JSON, with secrets masked. Empty: the key is not set. */
  readonly value: string;
  /** `default`, `development mode`, `file`, or the name of the variable or flag. */
  readonly source: string;
  readonly description: string;
}

/** The concern of a change besides a restart, by the beginning of its key. */
const concerns = [
  ['issuer', 'issuer'],
  ['secrets.', 'secrets'],
  ['storage.', 'store'],
  ['accounts.database', 'store'],
  ['keys.', 'keys'],
  ['oidc.subjectIdentifiers.', 'subjects'],
  ['public.', 'listener'],
  ['admin.host', 'listener'],
  ['admin.port', 'listener'],
  ['metrics.', 'listener'],
] as const;

type Concern = (typeof concerns)[number][1];

const concernOf = (key: string): Concern | undefined => concerns.find(([prefix]) => key.startsWith(prefix))?.[1];

const jsonAt = (tree: object, key: string): string => JSON.stringify(getAt(tree as Tree, key)) ?? '';

/** A key that is set together with others, such as a list, has the source of what contains it, or of what it contains. */
const originOf = (key: string, origins: ReadonlyMap<string, string>): string | undefined =>
  origins.get(key) ?? [...origins].find(([other]) => key.startsWith(`${other}.`) || other.startsWith(`${key}.`))?.[1];

/** The values as they are compared, and as they are shown. */
const valuesOf = ({ examined: { draft }, origins }: Examination, file: string | undefined) => {
  const masked = redact(commandSchema, draft);
  return describedSettings().map(({ key, default: byDefault, description }) => {
    const json = jsonAt(draft, key);
    const origin = originOf(key, origins);
    const isDefault = ['', '[]', '{}', byDefault, JSON.stringify(byDefault)].includes(json);
    const unset = draft.dev && !isDefault ? 'development mode' : 'default';
    const source = origin === file && origin !== undefined ? 'file' : (origin ?? unset);
    return { key, json, value: jsonAt(masked, key), source, description };
  });
};

type Values = ReturnType<typeof valuesOf>;

const differences = (before: Values, after: Values) =>
  before.flatMap(({ key, json, value }, place) => {
    const other = after[place];
    if (other === undefined || other.json === json) return [];
    return [{ key, before: value, after: other.value, concern: concernOf(key) }];
  });

/** `ttl.accessToken: 1h` is short for a section with a key. */
const withSections = (given: Tree): Tree =>
  Object.entries(given).reduce<Tree>((tree, [key, value]) => mergeTrees(tree, withAt({}, key, value)), {});

const problemsOf = ({ examined, problems }: Examination): readonly string[] => [
  ...problems,
  ...examined.problems.map(({ text }) => text),
];

const textName = 'the text';

interface Changed {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly changes: ReturnType<typeof differences>;
}

/** The changes of a text. Key files are not opened: their names are chosen by who typed the text. */
const examineText = (
  options: LoadOptions,
  present: Examination,
  { text, scope }: { text: string; scope: string },
): Changed => {
  const given = withSections(parseConfigText(text, textName));
  const file = options.file === undefined ? {} : readConfigFile(options.file);
  const settings = scope === 'whole' ? given : mergeTrees(file, given);
  const next = examine({ ...options, file: textName, settings });
  const overridden = [...next.origins].flatMap(([key, origin]) =>
    origin !== textName && getAt(given, key) !== undefined
      ? [`${key}: ${origin} sets this key, and overrides the file.`]
      : [],
  );
  const isNew = (warning: string): boolean => !present.examined.warnings.includes(warning);
  return {
    problems: problemsOf(next),
    warnings: [...overridden, ...next.examined.warnings.filter(isNew)],
    changes: differences(valuesOf(present, options.file), valuesOf(next, textName)),
  };
};

/** A change of the file that waits for a restart. */
const pendingIn = (options: LoadOptions, present: Examination): readonly string[] => {
  if (options.file === undefined) return [];
  try {
    const changes = differences(valuesOf(present, options.file), valuesOf(examine(options), options.file));
    if (changes.length === 0) return [];
    const keys = changes.map(({ key }) => key).join(', ');
    return [`${options.file}: has changed since this process started: ${keys}. Restart to use it.`];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

/**
 * The configuration of this process, for operators: call it at the start, because the file may change later.
 * Every value is masked as `carnet config print` masks it.
 */
export const openEffectiveConfiguration = (options: LoadOptions) => {
  const present = examine(options);
  return {
    configuration: async () => ({
      settings: valuesOf(present, options.file).map(({ json: _, ...setting }): EffectiveSetting => setting),
      warnings: [
        ...present.misspelled,
        ...problemsOf(present),
        ...present.examined.warnings,
        ...pendingIn(options, present),
      ],
    }),
    /** @param scope `whole`: the text replaces the file. `keys`: its keys are added to those of the file. */
    examineConfiguration: async (text: string, scope: 'keys' | 'whole'): Promise<Changed> => {
      try {
        return examineText(options, present, { text, scope });
      } catch (error) {
        if (error instanceof ConfigError) return { problems: error.problems, warnings: [], changes: [] };
        throw error;
      }
    },
  };
};
