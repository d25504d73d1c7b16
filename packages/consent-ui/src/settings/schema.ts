import { z } from 'zod';
import { allLanguages } from '../messages/languages.ts';

const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((text) => new URL(text))
  .refine((url) => url.search === '' && url.hash === '', 'must have no query and no fragment');

const count = (variable: string, initial: number) =>
  z.int('must be a whole number').min(0, 'must be at least 0').prefault(initial).meta({ variable, kind: 'count' });

const flag = (variable: string, initial: boolean) =>
  z.boolean('must be true or false, in a variable 1 or 0').prefault(initial).meta({ variable, kind: 'flag' });

const link = z
  .string()
  .transform((text) => text.trim())
  .refine((text) => /^(?:https?|mailto):/.test(URL.parse(text)?.href ?? ''), 'must be an http, https or mailto URL')
  .transform((text) => new URL(text).href);

const cookieSecret = z.string().min(32, 'needs at least 32 characters: create one with `openssl rand -base64 32`');

const language = z.enum(allLanguages, `must be one of ${allLanguages.join(' ')}`);

const text = (variable: string) => z.string().optional().meta({ variable });

/** The settings of the pages. Each has a variable, which `carnet ui` and the image read. */
export const settingsSchema = z.strictObject({
  /** The URL of the admin API. Default `http://127.0.0.1:4445`. */
  adminUrl: webUrl.prefault('http://127.0.0.1:4445').meta({ variable: 'CARNET_ADMIN_URL' }),
  /** The bearer token of the admin API, if it needs one. The rights `login` and `accounts` are enough. */
  adminToken: z.string().optional().meta({ variable: 'CARNET_ADMIN_TOKEN', secret: true }),
  /** Browsers are redirected only to URLs under the issuer. Default `http://127.0.0.1:4444`. */
  issuer: webUrl.prefault('http://127.0.0.1:4444').meta({ variable: 'CARNET_ISSUER' }),
  /** The URL by which browsers reach the pages. Default: the origin of the issuer. With `https`, cookies are `Secure`. */
  url: webUrl.optional().meta({ variable: 'CARNET_UI_URL' }),
  /** Whether scopes are ticked at first. Default true. In Hydra's reference app the user must tick them. */
  consentTicked: flag('CONSENT_TICKED', true),
  /** How long a remembered login or consent lasts, in seconds. Default 3600; 0 leaves it to Carnet. */
  rememberForSeconds: count('REMEMBER_FOR_SECONDS', 3600),
  /** How many reverse proxies append to `X-Forwarded-For`. Default 0. Failed attempts are counted by address. */
  trustedProxyHops: count('TRUSTED_PROXY_HOPS', 0),
  /** The secrets of the account page's cookies: the first seals, all open. Default: one that ends with the process. */
  cookieSecrets: z
    .tuple([cookieSecret], cookieSecret)
    .readonly()
    .optional()
    .meta({ variable: 'UI_COOKIE_SECRET', kind: 'list', secret: true }),
  /** The name of the site. Default `Carnet`. */
  name: text('UI_NAME'),
  /** The brand color of light pages, such as `#14614c`. */
  color: text('UI_COLOR'),
  colorDark: text('UI_COLOR_DARK'),
  backgroundColor: text('UI_BACKGROUND_COLOR'),
  backgroundColorDark: text('UI_BACKGROUND_COLOR_DARK'),
  /** The path of a picture behind the pages. */
  backgroundFile: text('UI_BACKGROUND_FILE'),
  /** The path of the logo. */
  logoFile: text('UI_LOGO_FILE'),
  logoDarkFile: text('UI_LOGO_DARK_FILE'),
  /** The path of a style sheet. */
  cssFile: text('UI_CSS_FILE'),
  /** The languages that are offered, the default first. */
  languages: z
    .tuple([language], language)
    .readonly()
    .prefault(allLanguages)
    .meta({ variable: 'UI_LANGUAGES', kind: 'list' }),
  /** The path of a JSON file with the texts of scopes. */
  scopesFile: text('UI_SCOPES_FILE'),
  homeUrl: link.optional().meta({ variable: 'UI_HOME_URL' }),
  privacyUrl: link.optional().meta({ variable: 'UI_PRIVACY_URL' }),
  termsUrl: link.optional().meta({ variable: 'UI_TERMS_URL' }),
  helpUrl: link.optional().meta({ variable: 'UI_HELP_URL' }),
  /** Whether users accept `termsUrl` when they sign up. Default false. */
  termsRequired: flag('UI_TERMS_REQUIRED', false),
  /** Whether the logos of clients are shown. Default true. */
  clientLogos: flag('UI_CLIENT_LOGOS', true),
});

export type PagesSettings = z.input<typeof settingsSchema>;
export type Settings = z.output<typeof settingsSchema>;
export type SettingKey = keyof Settings;

/** A setting, and how the text of its variable is read. */
interface Setting {
  readonly key: SettingKey;
  readonly variable: string;
  /** Default `text`. */
  readonly kind?: 'text' | 'count' | 'flag' | 'list';
  readonly secret?: true;
}

/** The settings with their variables. */
export const settings: readonly Setting[] = Object.entries(settingsSchema.shape).map(
  ([key, schema]) => ({ ...schema.meta(), key }) as unknown as Setting,
);
