import { ConfigError } from '@carnet/provider/config';
import { type Command, exitCodes, text } from '../command.ts';
import { issuerOptions, loadFromCommandLine } from '../config/command-line.ts';
import { issuerNamed } from '../config/load-config.ts';
import { accounts } from './accounts.ts';
import { type Check, type CheckContext, type Finding, fail, ok, warn } from './check.ts';
import { clients } from './clients.ts';
import { clock } from './clock.ts';
import { cookies } from './cookies.ts';
import { issuer } from './issuer.ts';
import { keys } from './keys.ts';
import { pages } from './pages.ts';
import { proxy } from './proxy.ts';
import { store } from './store.ts';

const checks: readonly Check[] = [issuer, proxy, cookies, clock, keys, store, accounts, clients, pages];

/** The checks of what all issuers have in common: once is enough. */
const ofInstallation: ReadonlySet<Check> = new Set([clock, store]);

const width = Math.max(...checks.map(({ name }) => name.length), 'configuration'.length);

const linesOf = (name: string, { level, what, remedy }: Finding): string[] => [
  `${level.padEnd(4)}  ${name.padEnd(width)}  ${what}`,
  ...(remedy === undefined ? [] : [`${' '.repeat(6 + width + 2)}-> ${remedy}`]),
];

const runCheck = async ({ run }: Check, context: CheckContext): Promise<readonly Finding[]> => {
  try {
    return await run(context);
  } catch (error) {
    return [fail(`could not be checked: ${(error as Error).message}`, 'This is a bug of `carnet doctor`: report it.')];
  }
};

export const doctor: Command = {
  name: 'doctor',
  summary:
    'Check issuer, proxy, cookies, clock, keys, store, accounts, clients and pages, of all issuers, and report what to change. Changes nothing.',
  options: issuerOptions,
  examples: ['carnet doctor --config carnet.yaml'],
  run: async (values, surface) => {
    const say = (name: string, findings: readonly Finding[]): boolean => {
      for (const finding of findings) for (const line of linesOf(name, finding)) surface.out(line);
      return findings.some(({ level }) => level === 'fail');
    };
    let hasFailed = false;
    try {
      const { config, issuers, warnings } = loadFromCommandLine(values, surface);
      const findings = warnings.map((warning) => warn(warning, '`carnet help config` explains the keys.'));
      say('configuration', findings.length > 0 ? findings : [ok('complete')]);
      const runAll = async (which: readonly Check[], context: Pick<CheckContext, 'config' | 'issuerName'>) => {
        for (const check of which) {
          if (say(check.name, await runCheck(check, { ...context, now: Date.now }))) hasFailed = true;
        }
      };
      const only = text(values, 'issuer');
      await runAll(checks, { config: only === undefined ? config : issuerNamed(only, issuers), issuerName: only });
      for (const [issuerName, own] of only === undefined ? issuers : []) {
        surface.out(`issuer ${issuerName}:`);
        await runAll(
          checks.filter((check) => !ofInstallation.has(check)),
          { config: own, issuerName },
        );
      }
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      say(
        'configuration',
        error.problems.map((problem) => fail(problem, '`carnet help config` explains the keys.')),
      );
      hasFailed = true;
    }
    surface.out(hasFailed ? 'Problems were found.' : 'No problems were found.');
    return hasFailed ? exitCodes.failed : exitCodes.ok;
  },
};
