import { isLoopbackHost, parseColor } from '@carnet/adapter-contract/kit';
import { durationSchema, section } from '@carnet/adapter-contract/settings';
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

const text = z.string({ error: 'must be text' }).min(1, 'must not be empty');

const prometheusMessage = 'must be a URL such as http://prometheus.internal:9090, without a user name';

const isPrometheusUrl = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};

const labelsMessage = 'must be a map from names of labels to values, such as "job: carnet"';

const prometheusSchema = section({
  url: z
    .string({ error: prometheusMessage })
    .refine(isPrometheusUrl, prometheusMessage)
    .optional()
    .describe(
      'The URL of a Prometheus server that reads the metrics of Carnet. The overview then shows 24 hours and 7 days from its figures. Default: the last 24 hours, from the memory of the process.',
    ),
  token: text
    .regex(/^[\x21-\x7e]*$/, 'must be ASCII text without spaces and line breaks')
    .optional()
    .describe('Sent to Prometheus as a bearer token.')
    .meta({ secret: 'text' }),
  username: text.optional().describe('Sent to Prometheus by HTTP Basic authentication, with `password`.'),
  password: text.optional().describe('The password for `username`.').meta({ secret: 'text' }),
  labels: z
    .record(z.string().regex(/^[a-zA-Z_]\w*$/, labelsMessage), z.string({ error: labelsMessage }), {
      error: labelsMessage,
    })
    .default({})
    .describe(
      'The labels of the series to read, such as `job: carnet`, if Prometheus also has those of other installations. The console of a named issuer reads the series with its label `issuer` only.',
    ),
});

const colorMessage = 'must be a color such as "#14614c"';

const logoMessage = 'must be the path of a file, or an https URL';

/** A path has no scheme. A picture of plain http would be blocked on a page of https. */
const isLogo = (value: string): boolean => !/^[a-z][a-z\d+.-]*:\/\//i.test(value) || isLogoUrl(value);

/** Whether browsers load the logo from its host. */
export const isLogoUrl = (logo: string): boolean => URL.parse(logo)?.protocol === 'https:';

const brandSchema = section({
  name: text
    .optional()
    .describe('The name in the header of the console, and in the titles of its pages. Default: none.'),
  logo: z
    .string({ error: logoMessage })
    .min(1, logoMessage)
    .refine(isLogo, logoMessage)
    .optional()
    .describe(
      'The path of a file (SVG, PNG, WebP or JPEG, at most 512 KiB), which the console serves itself, or an https URL, whose host the policy of the pages then names. Default: none.',
    ),
  color: z
    .string({ error: colorMessage })
    .refine((value) => parseColor(value) !== undefined, colorMessage)
    .optional()
    .describe(
      'The color of links and buttons, such as `#14614c`. On light and on dark pages, the nearest color with enough contrast is used. Default: blue.',
    ),
});

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
  prometheus: prometheusSchema,
  brand: brandSchema,
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

/** The key of `console.prometheus` that another one makes useless, or that lacks another one. */
export const prometheusProblem = ({ console: { prometheus } }: Pick<Draft, 'console'>): string | undefined => {
  const { url, token, username, password } = prometheus;
  if (url === undefined && (token ?? username ?? password) !== undefined)
    return 'has credentials, but no url. Set CONSOLE_PROMETHEUS_URL.';
  if ((username === undefined) !== (password === undefined)) return 'needs both username and password, or neither.';
  return token !== undefined && username !== undefined
    ? 'has a token and a username: Prometheus accepts one of them. Remove the other.'
    : undefined;
};

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
