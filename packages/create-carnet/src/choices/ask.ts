import * as prompts from '@clack/prompts';
import { type Choices, defaults, type Flags, UsageError } from './choices.ts';

/** Returns the answer. Ctrl-C ends the command. */
const answered = <T>(answer: T): Exclude<T, symbol> => {
  if (prompts.isCancel(answer)) throw new UsageError('Cancelled.');
  return answer as Exclude<T, symbol>;
};

const askFramework = async (): Promise<Choices['framework']> =>
  answered(
    await prompts.select<Choices['framework']>({
      message: 'Where does Carnet run?',
      options: [
        { value: 'express', label: 'In an Express app' },
        { value: 'koa', label: 'In a Koa app' },
        { value: 'fastify', label: 'In a Fastify app' },
        { value: 'next', label: 'In a Next.js app' },
        { value: 'standalone', label: 'As a server of its own', hint: 'carnet serve' },
      ],
    }),
  );

const askStore = async (): Promise<Choices['store']> =>
  answered(
    await prompts.select<Choices['store']>({
      message: 'Where does Carnet store its data?',
      options: [
        { value: 'sqlite', label: 'SQLite', hint: 'a file; one machine' },
        { value: 'postgres', label: 'Postgres' },
      ],
    }),
  );

const askPages = async (): Promise<Choices['pages']> =>
  answered(
    await prompts.select<Choices['pages']>({
      message: 'Which pages sign users in?',
      options: [
        { value: 'own', label: 'Your own', hint: 'forms in this project, your user table' },
        { value: 'bundled', label: 'The bundled ones', hint: 'sign-up, recovery, second factors, account page' },
      ],
    }),
  );

const askFolder = async (): Promise<string> =>
  answered(
    await prompts.text({ message: 'Which folder?', placeholder: defaults.folder, defaultValue: defaults.folder }),
  );

const askMcp = async (): Promise<boolean> =>
  answered(await prompts.confirm({ message: 'Add an MCP server that Carnet protects?', initialValue: defaults.mcp }));

/** Asks every question that the flags leave open. */
export const askChoices = async (flags: Flags): Promise<Choices> => {
  prompts.intro('Create an OpenID Connect provider with Carnet');
  return {
    folder: flags.folder ?? (await askFolder()),
    framework: flags.framework ?? (await askFramework()),
    store: flags.store ?? (await askStore()),
    pages: flags.pages ?? (await askPages()),
    mcp: flags.mcp ?? (await askMcp()),
    databaseUrl: flags.databaseUrl,
  };
};

export const askInstall = async (command: string): Promise<boolean> =>
  answered(await prompts.confirm({ message: `Run \`${command}\` now?` }));
