import { createProvider } from '@carnet/provider';
import type { AccessRules } from '../src/access/settings.ts';
import { type Console, createConsole, createConsoleOf } from '../src/create-console.ts';
import type { CurrentUser } from '../src/server/console-server.ts';
import { createInProcessServer } from '../src/server/in-process.ts';
import { createBrowser, type SignIn, signIn } from './browser.ts';
import { devConfig } from './start-console.ts';

const { issuer } = devConfig;
export const consoleUrl = 'http://localhost:4445/console';

export const pageOf = (path: string): URL => new URL(`${consoleUrl}${path}`);

/** A clock that a test can set ahead, in milliseconds. */
export const createTestClock = () => {
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
  return clock;
};

/** A console with its sign-in, on a provider in memory. The caller closes `carnet`. */
export const openWithSignIn = async ({
  access = { claim: 'groups', viewer: ['support'], operator: ['platform'] },
  now = Date.now,
}: {
  readonly access?: AccessRules | undefined;
  readonly now?: () => number;
}) => {
  const carnet = await createProvider({ ...devConfig }, { now });
  const lines: object[] = [];
  const note = (fields: object) => void lines.push(fields);
  const settings = {
    ...{ issuer, url: consoleUrl, access, now },
    secrets: ['a secret of at least thirty-two characters'] as [string],
    logger: { info: note, warn: note, error: note },
  };
  const answer = await createConsole(carnet, settings);
  const newBrowser = (host: Console = answer) =>
    createBrowser({ [issuer]: carnet.fetch, 'http://localhost:4445': host });
  /** The status of the first page for a user that a directory has, with these rules. */
  const statusWith = async (account: CurrentUser, rules: AccessRules, who: SignIn): Promise<number> => {
    const server = { ...createInProcessServer(carnet, settings), account: async () => account };
    const browser = newBrowser(await createConsoleOf(server, { ...settings, access: rules }));
    return (await signIn(browser, carnet, pageOf('/'), who)).response.status;
  };
  return { carnet, answer, settings, lines, newBrowser, browser: newBrowser(), statusWith };
};
