import type { z } from 'zod';
import { type AccountsSection, configSchema, type Draft, type EventsSection } from './schema.ts';

/** The values that dev mode generates and that a restart reuses. */
export interface DevSecrets {
  readonly secrets?: { readonly system: string[] };
  readonly keys?: { readonly jwks: NonNullable<Draft['keys']['jwks']> };
}

/** The values that dev mode keeps from one run to the next. */
export interface DevMode {
  /** The URL of the default store. */
  readonly store: string;
  /** Users for the bundled login page. A configuration with `accounts`, or with a login page of its own, has none of them. */
  readonly accounts?: Draft['accounts'];
  /** The values that an earlier run generated. @throws ConfigError if they are not valid */
  readonly readSecrets: () => DevSecrets | undefined;
  /** The origin of the bundled pages. Default: `http://localhost:3000`. */
  readonly pages?: string;
}

export interface Surroundings {
  /** `NODE_ENV` is `production`. */
  readonly production: boolean;
  /** Where dev mode keeps its store and what it generated. Default: in memory, until the process ends. */
  readonly devMode?: DevMode;
  /** The environment variable that sets a key, in a program that reads the environment. */
  readonly variableFor?: (key: string) => string | undefined;
}

/** A rule between keys. It is checked only when the value of its key is valid. */
export interface Rule<Given = Draft> {
  readonly key: string;
  /** The problem and the remedy. False or undefined: none. */
  readonly check: (draft: Given, surroundings: Surroundings) => string | false | undefined;
}

/** The keys of a program that has more than the library, and what applies to them besides the rules of the library. */
export interface Layout<Given extends Draft> {
  readonly schema: z.ZodType<Given>;
  /** Sets the keys whose default depends on other keys. */
  readonly fill?: (draft: Given, isInvalid: (key: string) => boolean) => void;
  readonly rules?: readonly Rule<Given>[];
  /** Settings that work, but deserve a warning. */
  readonly cautions?: readonly Rule<Given>[];
}

interface Sections {
  readonly accounts?: AccountsSection | undefined;
  readonly events?: EventsSection | undefined;
}

/** The keys and rules of the library with those of the optional packages that are loaded. */
export const layoutWith = ({ accounts, events }: Sections) => {
  const schema = configSchema.extend({
    accounts: accounts?.accountsSchema ?? configSchema.shape.accounts,
    events: events?.eventsSchema ?? configSchema.shape.events,
  });
  const rules: readonly Rule[] = [...(accounts?.accountsRules ?? []), ...(events?.eventsRules ?? [])];
  const cautions: readonly Rule[] = accounts?.accountsCautions ?? [];
  return { schema, rules, cautions };
};

type Of<Given, Result> = (draft: Given, surroundings: Surroundings) => Result;

/** A rule with one problem, whose text may depend on the draft. */
export const rule = <Given = Draft>(
  key: string,
  isBroken: Of<Given, boolean | undefined>,
  problem: string | Of<Given, string>,
): Rule<Given> => ({
  key,
  check: (...given) => isBroken(...given) && (typeof problem === 'string' ? problem : problem(...given)),
});

/** `Set it`, with the name of the variable in a program that reads the environment. */
export const settingOf = (key: string, { variableFor }: Surroundings): string => {
  const variable = variableFor?.(key);
  return variable === undefined ? 'Set it' : `Set it, or the variable ${variable},`;
};
