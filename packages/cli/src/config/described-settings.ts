import { configDefaults, configJsonSchema, getAt, type Tree } from '@carnet/provider/config';
import { commandSchema } from './schema.ts';
import { fileVariableOf, variables } from './variables.ts';

/** A key of the configuration, or a member of the items of a list, as the schema describes it. */
export interface Setting {
  readonly key: string;
  /** The variables that set the key, those that name a file among them. */
  readonly variables: readonly string[];
  /** As text. Undefined: there is none. */
  readonly default: string | undefined;
  readonly description: string;
  /** The accepted values, if there are few. */
  readonly choices: readonly string[];
}

interface Schema {
  readonly default?: unknown;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Described {
  readonly key: string;
  readonly schema: Schema;
}

const leavesOf = (schema: Schema, prefix: string): readonly Described[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const key = `${prefix}${name}`;
    return child.properties && key !== 'keys.jwks' ? leavesOf(child, `${key}.`) : [{ key, schema: child }];
  });

const textOf = (value: unknown): string | undefined => {
  const isEmpty = value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  if (isEmpty) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const settingOf = ({ key, schema }: Described, value: unknown): Setting => ({
  key,
  variables: variables
    .filter((variable) => variable.key === key)
    .flatMap((variable) => [variable.name, fileVariableOf(variable) ?? []].flat()),
  default: textOf(value),
  description: schema.description ?? '',
  choices: schema.enum?.map(String) ?? [],
});

/** All keys that hold a value, in the order of the schema. */
export const describedSettings = (): readonly Setting[] => {
  const defaults = configDefaults(commandSchema);
  return leavesOf(configJsonSchema(commandSchema) as Schema, '').map((one) =>
    settingOf(one, getAt(defaults as Tree, one.key)),
  );
};

/** The members of the items of a list, by their names alone. Of several kinds of items, those of all. */
export const describedMembers = (listKey: string): readonly Setting[] => {
  const list = leavesOf(configJsonSchema(commandSchema) as Schema, '').find(({ key }) => key === listKey)?.schema.items;
  const members = (list?.oneOf ?? [list ?? {}]).flatMap(({ properties = {} }) => Object.entries(properties));
  return [...new Map(members)].map(([key, schema]) => settingOf({ key, schema }, schema.default));
};
