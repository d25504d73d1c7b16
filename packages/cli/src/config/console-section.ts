import { durationSchema, isLoopbackHost, section } from '@carnet/provider/config';
import { z } from 'zod';

const listMessage = 'must be a list of values of the claim';
const list = z.array(z.string({ error: listMessage }).min(1), { error: listMessage }).default([]);

const directoriesMessage = 'must be a list of names of directories';

const urlMessage = 'must be an https URL with a path, such as https://admin.example.com/console';

/** The path is that of the listener, too: proxies do not change it. */
const isConsoleUrl = (text: string): boolean => {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.search !== '' || url.hash !== '') return false;
  return (url.protocol === 'https:' || isLoopbackHost(url.hostname)) && /^\/.*console$/.test(url.pathname);
};

export const consoleSchema = section({
  enabled: z
    .boolean({ error: 'must be true or false' })
    .default(false)
    .describe('Whether the admin listener serves the console for operators. It needs the package `@carnet/console`.'),
  url: z
    .string({ error: urlMessage })
    .refine(isConsoleUrl, `${urlMessage}. Its path ends in "console"`)
    .optional()
    .describe(
      'The URL of the console, as browsers call it. Its path ends in `console`. Default: `/console` at the admin listener on loopback.',
    ),
  access: section({
    claim: z
      .string({ error: 'must be the name of a claim' })
      .min(1)
      .default('groups')
      .describe(
        'The claim of a user that decides about the role in the console. `email` is a confirmed address. With `accounts`, it is a claim of the directories, and read at each request.',
      ),
    viewer: list.describe('The values of the claim whose users may read.'),
    operator: list.describe('The values of the claim whose users may also change.'),
    directories: z
      .array(z.string({ error: directoriesMessage }).min(1), { error: directoriesMessage })
      .optional()
      .describe(
        'The names of the directories whose users may have a role. Required if organizations have directories or providers: their administrators decide about claims. Default: all.',
      ),
  }),
  maximumDuration: durationSchema(300, 86_400)
    .default(28_800)
    .describe('The time after which an operator signs in again. Default: 8 hours.'),
  idleDuration: durationSchema(60, 86_400)
    .default(1_800)
    .describe('The time without a request after which an operator signs in again. Default: 30 minutes.'),
});

export type ConsoleSection = z.output<typeof consoleSchema>;

interface Draft {
  readonly dev: boolean;
  readonly console: ConsoleSection;
  readonly admin: { readonly host: string };
}

/** In dev mode, the demo user is an operator. */
export const fillConsole = ({ dev, console: { access } }: Draft): void => {
  if (!dev || access.viewer.length + access.operator.length > 0) return;
  Object.assign(access, { claim: 'email', operator: ['demo@example.com'] });
};

/** Whether no user would have a role. */
export const hasNoOperators = ({ console: { enabled, access } }: Pick<Draft, 'console'>): boolean =>
  enabled && access.viewer.length + access.operator.length === 0;

/** Whether operators could not open the default URL. */
export const needsConsoleUrl = ({ console: { enabled, url }, admin }: Pick<Draft, 'console' | 'admin'>): boolean =>
  enabled && url === undefined && !isLoopbackHost(admin.host);

interface Customers {
  readonly organizations: readonly { readonly directories: readonly string[]; readonly providers: readonly string[] }[];
}

/** Whether the directory or provider of an organization could give its users a role by the value of a claim. */
export const isDecidedByCustomers = ({
  console: { enabled, access },
  accounts,
}: Pick<Draft, 'console'> & { readonly accounts?: Customers | undefined }): boolean =>
  enabled &&
  access.directories === undefined &&
  (accounts?.organizations ?? []).some(({ directories, providers }) => directories.length + providers.length > 0);
