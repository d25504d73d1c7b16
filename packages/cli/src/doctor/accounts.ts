import { openAccountsMigrator, withAccounts } from '@carnet/provider/accounts';
import { redactUrl } from '@carnet/provider/config';
import { remedyOf, type Step } from '../directory/check-directories.ts';
import { explain } from '../explain.ts';
import { type Check, type CheckContext, type Finding, fail, ok } from './check.ts';

const checkSchema = async ({ config }: CheckContext): Promise<readonly Finding[]> => {
  const migrator = await openAccountsMigrator(config);
  if (migrator === undefined) return [];
  try {
    const missing = (await migrator.status()).filter(({ appliedAt }) => appliedAt === null);
    const database = redactUrl(config.accounts?.database ?? '');
    if (missing.length === 0) return [ok(`${database} is up to date`)];
    const names = missing.map(({ name }) => name).join(', ');
    return [fail(`${database} lacks ${names}`, 'Run `carnet migrate up`.')];
  } finally {
    await migrator.close();
  }
};

const findingOf = (directory: string, steps: readonly Step[]): Finding => {
  const failed = steps.find((step) => !step.ok);
  if (failed === undefined) return ok(`directory ${directory} answers`);
  const { target, step, detail = 'no answer' } = failed;
  return fail(`directory ${directory}: ${target}: ${step}: ${detail}`, remedyOf(failed));
};

const checkOpened = ({ config }: CheckContext): Promise<readonly Finding[]> =>
  withAccounts(config, async ({ userDirectories: directories, checkMail }) => {
    const checked = await directories.check();
    const found = checked.map(({ directory, steps }) => findingOf(directory, steps));
    if (config.accounts?.mail.url === undefined) return found;
    try {
      await checkMail();
      return [...found, ok('the mail server answers')];
    } catch (error) {
      return [...found, fail(`the mail server: ${explain(error)}`, 'Check accounts.mail.url (ACCOUNTS_MAIL_URL).')];
    }
  });

/** Whether the accounts database has its schema, and every directory and the mail server answer. */
export const accounts: Check = {
  name: 'accounts',
  run: async (context) => {
    if (context.config.accounts === undefined) return [ok('not configured: another program checks users')];
    try {
      const schema = await checkSchema(context);
      if (schema.some(({ level }) => level === 'fail')) return schema;
      return [...schema, ...(await checkOpened(context))];
    } catch (error) {
      return [fail(explain(error), 'Check the section accounts of the configuration: `carnet help config accounts`.')];
    }
  },
};
