import type { ConfigInput } from '@carnet/provider';
import {
  type Completed,
  type Config,
  ConfigError,
  completeConfig,
  type Draft,
  examineConfig,
  isProduction,
  isTree,
  type Layout,
  type Tree,
} from '@carnet/provider/config';
import { layoutOf, type OwnParts, withOwnParts } from '@carnet/provider/server';
import type { Issuer } from '../ports.ts';
import { createInheritance, examineIssuer, examineIssuers, issuersIn } from './examine.ts';
import { issuersSchema, type Limits, type LimitsInput, limitsSchema } from './schema.ts';

/** The settings in which an issuer differs from the top level. */
export interface IssuerInput extends Omit<Partial<ConfigInput>, 'issuer'> {
  /** Its URL. */
  readonly issuer: string;
  readonly limits?: Omit<LimitsInput, 'openIssuers' | 'idle'>;
}

/** The configuration of an installation with several issuers. The top level is the first issuer. */
export interface IssuersInput extends ConfigInput {
  readonly limits?: LimitsInput;
  /** Further issuers by name. */
  readonly issuers?: Readonly<Record<string, IssuerInput>>;
}

type IssuersDraft = Draft & { readonly limits: Limits; readonly issuers?: unknown };

/** The configuration of a provider, and the limits, of a complete draft. */
const issuerOf = (name: string | undefined, draft: Completed<IssuersDraft>): Issuer => {
  const { limits, issuers: _issuers, ...config } = draft;
  return { name, limits, config: config satisfies Config };
};

/** The sections of optional packages, if any issuer has them. */
const layoutFor = async (settings: Tree): Promise<Layout<IssuersDraft>> => {
  const all = [settings, ...issuersIn(settings).map(([, own]) => own)] as readonly ConfigInput[];
  const sections = await layoutOf({
    accounts: all.find(({ accounts }) => accounts)?.accounts,
    events: all.find(({ events }) => events)?.events,
  });
  return { ...sections, schema: sections.schema.extend({ limits: limitsSchema, issuers: issuersSchema }) };
};

/** The issuers of an installation. */
export interface Installation {
  readonly first: Issuer;
  readonly named: ReadonlyMap<string, Issuer>;
  /**
   * Reads the settings of an issuer that a function finds. Needed with such functions only.
   *
   * @throws ConfigError with every problem of them
   */
  readonly read?: (name: string, own: Tree) => Promise<Issuer>;
}

/**
 * Reads the configuration of all issuers.
 *
 * @throws ConfigError with every problem of every issuer
 */
export const readIssuers = async (input: IssuersInput, parts: OwnParts): Promise<Installation> => {
  if (!isTree(input)) throw new ConfigError(['the configuration must be an object']);
  const settings = withOwnParts(input, parts) as Tree;
  const options = {
    origins: new Map(),
    surroundings: { production: isProduction() },
    layout: await layoutFor(settings),
  };
  const first = examineConfig(settings, options.origins, options.surroundings, options.layout);
  const { issuers, problems } = examineIssuers(settings, first, options);
  const texts = [...first.problems.map(({ text }) => text), ...problems];
  return {
    first: issuerOf(undefined, completeConfig(first.draft, texts)),
    named: new Map(
      [...issuers].map(([name, { examined }]) => [name, issuerOf(name, completeConfig(examined.draft, []))]),
    ),
    read: async (name, own) => {
      const layout = await layoutFor({ ...settings, issuers: { [name]: own } });
      const inheritance = createInheritance(settings, first, { ...options, layout });
      const { examined, problems: found } = examineIssuer(name, own, inheritance);
      const foundTexts = found.map(({ text }) => text);
      return issuerOf(name, completeConfig(examined.draft, foundTexts));
    },
  };
};
