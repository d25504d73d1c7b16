import { isDeepStrictEqual } from 'node:util';
import { atMost, createSingleFlight } from '@carnet/adapter-contract/kit';
import { ConfigError, type Tree } from '@carnet/provider/config';
import { LRUCache } from 'lru-cache';
import type { IssuerInput } from '../config/read-issuers.ts';
import { isIssuerName } from '../config/schema.ts';
import { notOpened } from '../opening/failures.ts';
import type { Eventually, Issuer, IssuerSource } from '../ports.ts';

const hostPattern = /^[a-z0-9._:[\]-]{1,255}$/;

/** The settings of an issuer that a program has found, with its name. */
export interface FoundIssuer extends IssuerInput {
  readonly name: string;
}

/** How a program finds its issuers: in a database of tenants, for example. */
export interface IssuerFunctions {
  /** The issuer of a host and the path of a request; undefined: there is none. */
  readonly issuerAt?: (host: string, path: string) => Eventually<FoundIssuer | undefined>;
  /** The issuer with a name; undefined: there is none. */
  readonly issuerNamed?: (name: string) => Eventually<FoundIssuer | undefined>;
}

interface FoundDependencies extends IssuerFunctions {
  /** @throws ConfigError */
  readonly read: (name: string, own: Tree) => Promise<Issuer>;
  /** The names of configured issuers, which the program can't use for others. */
  readonly isTaken: (name: string) => boolean;
  /** The URLs of configured issuers, of which the program can't make others. */
  readonly isTakenUrl: (url: string) => boolean;
  readonly onError: (error: unknown) => void;
}

/** How long an answer of the program is used, in milliseconds: also that there is no such issuer, or that it failed. */
const rememberedMs = 5_000;
const mostRemembered = 10_000;
/** The answer for a longer path is not remembered: paths are chosen by callers. */
const mostKey = 512;

interface Known {
  readonly settings: Tree;
  readonly issuer: Promise<Issuer>;
}

type Answer = { readonly issuer: Issuer | undefined } | { readonly error: unknown };

const resultOf = (answer: Answer): Issuer | undefined => {
  if ('error' in answer) throw notOpened(answer.error);
  return answer.issuer;
};

/** Reads what the program has found. The same settings are always the same issuer. */
const createReader = ({ read, isTaken, isTakenUrl }: Omit<FoundDependencies, keyof IssuerFunctions | 'onError'>) => {
  const remembered = new LRUCache<string, Known>(atMost(mostRemembered));
  return (found: FoundIssuer | undefined): Promise<Issuer> | undefined => {
    if (found === undefined) return undefined;
    const { name, ...settings } = found;
    if (!isIssuerName(name)) throw new ConfigError([`"${name}" is no name of an issuer.`]);
    if (isTaken(name)) throw new ConfigError([`"${name}" is the name of a configured issuer. Choose another one.`]);
    const before = remembered.get(name);
    if (before !== undefined && isDeepStrictEqual(before.settings, settings)) return before.issuer;
    const issuer = read(name, settings).then((each) => {
      // With keys of the configuration, it could sign tokens of the configured issuer.
      if (isTakenUrl(each.config.issuer))
        throw new ConfigError([`"${name}" has the URL of a configured issuer. Choose another one.`]);
      return each;
    });
    remembered.set(name, { settings, issuer });
    return issuer;
  };
};

/** The issuers that the functions of a program find. @throws CarnetError `too_busy` for one that can't be found or read */
export const createFoundIssuers = ({ issuerAt, issuerNamed, onError, ...deps }: FoundDependencies): IssuerSource => {
  const answers = new LRUCache<string, Answer>({ ...atMost(mostRemembered), ttl: rememberedMs });
  const issuerOf = createReader(deps);
  const flights = createSingleFlight(async (key): Promise<Answer> => {
    const [kind, one = '', path = ''] = key.split(' ');
    let answer: Answer;
    try {
      answer = { issuer: await issuerOf(await (kind === 'at' ? issuerAt?.(one, path) : issuerNamed?.(one))) };
    } catch (error) {
      onError(error);
      answer = { error };
    }
    if (key.length <= mostKey) answers.set(key, answer);
    return answer;
  });
  const find = (key: string): Eventually<Issuer | undefined> => {
    const answer = answers.get(key);
    return answer === undefined ? flights.running(key).then(resultOf) : resultOf(answer);
  };
  return {
    at: ({ host, path }) => (issuerAt && hostPattern.test(host) ? find(`at ${host} ${path}`) : undefined),
    named: (name) => (issuerNamed && isIssuerName(name) ? find(`named ${name}`) : undefined),
  };
};
