import { ConfigError } from '@carnet/provider/config';
import { type Command, exitCodes } from '../command.ts';
import { configOptions, loadFromCommandLine } from '../config/command-line.ts';
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

const width = Math.max(...checks.map(({ name }) => name.length), 'configuration'.length);

const linesOf = (name: string, { level, what, remedy }: Finding): string[] => [
  `${level.padEnd(4)}  ${name.padEnd(width)}  ${what}`,
  ...(remedy === undefined ? [] : [`${' '.repeat(6 + width + 2)}-> ${remedy}`]),
];

/** Runs all checks, one after the other. */
export const runChecks = async (context: CheckContext): Promise<readonly (Finding & { readonly name: string })[]> => {
  const found = [];
  for (const check of checks)
    for (const finding of await runCheck(check, context)) found.push({ name: check.name, ...finding });
  return found;
};

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
    'Check issuer, proxy, cookies, clock, keys, store, accounts, clients and pages, and report what to change. Changes nothing.',
  options: configOptions,
  examples: ['carnet doctor --config carnet.yaml'],
  run: async (values, surface) => {
    const say = (name: string, findings: readonly Finding[]): boolean => {
      for (const finding of findings) for (const line of linesOf(name, finding)) surface.out(line);
      return findings.some(({ level }) => level === 'fail');
    };
    let hasFailed = false;
    try {
      const { config, warnings } = loadFromCommandLine(values, surface);
      const findings = warnings.map((warning) => warn(warning, '`carnet help config` explains the keys.'));
      say('configuration', findings.length > 0 ? findings : [ok('complete')]);
      for (const check of checks) {
        if (say(check.name, await runCheck(check, { config, now: Date.now }))) hasFailed = true;
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
