import { closest, distance } from 'fastest-levenshtein';
import { type Env, type Report, readBrand } from './brand/read-brand.ts';
import { readScopes } from './consent/read-scopes.ts';
import { allLanguages, isLanguage, type Language } from './messages/languages.ts';
import type { Ui } from './page/ui.ts';

const variables = [
  'UI_NAME',
  'UI_LOGO_FILE',
  'UI_LOGO_DARK_FILE',
  'UI_COLOR',
  'UI_COLOR_DARK',
  'UI_BACKGROUND_COLOR',
  'UI_BACKGROUND_COLOR_DARK',
  'UI_BACKGROUND_FILE',
  'UI_CSS_FILE',
  'UI_HOME_URL',
  'UI_PRIVACY_URL',
  'UI_TERMS_URL',
  'UI_HELP_URL',
  'UI_TERMS_REQUIRED',
  'UI_CLIENT_LOGOS',
  'UI_LANGUAGES',
  'UI_SCOPES_FILE',
  'UI_COOKIE_SECRET',
  'UI_METRICS_HOST',
  'UI_METRICS_PORT',
] as const;

/** Kubernetes sets such variables for a service with the name `ui`. */
const ofKubernetes = /^UI_(?:SERVICE_|PORT(?:_|$))/;

const reportUnknown = (env: Env, report: Report): void => {
  const known: readonly string[] = variables;
  for (const key of Object.keys(env).filter((each) => each.startsWith('UI_') && !ofKubernetes.test(each))) {
    if (known.includes(key)) continue;
    const meant = closest(key, known);
    const isNear = distance(key, meant) <= 2;
    report(
      `${key} is not a variable of the consent UI: ${isNear ? `did you mean ${meant}?` : `use one of ${known.join(', ')}`}`,
    );
  }
};

const readLanguages = (env: Env, report: Report): readonly [Language, ...Language[]] => {
  const named = (env.UI_LANGUAGES ?? '').split(/[\s,]+/).filter(Boolean);
  const unknown = named.filter((name) => !isLanguage(name));
  if (unknown.length > 0) report(`UI_LANGUAGES has ${unknown.join(' ')}: it can have ${allLanguages.join(' ')}`);
  const [first, ...others] = named.filter(isLanguage);
  return first ? [first, ...others] : allLanguages;
};

const readLink = (env: Env, key: string, report: Report): string | undefined => {
  const text = env[key]?.trim();
  if (!text) return undefined;
  if (URL.canParse(text) && /^(?:https?|mailto):$/.test(new URL(text).protocol)) return new URL(text).href;
  report(`${key} must be an http, https or mailto URL, not ${text}`);
  return undefined;
};

const readSwitch = (env: Env, key: string, initial: '0' | '1', report: Report): boolean => {
  const text = env[key] || initial;
  if (text !== '0' && text !== '1') report(`${key} must be 0 or 1, not ${text}`);
  return text === '1';
};

/** Reads the variables `UI_*`. Reports every problem that it finds. */
export const readUi = (env: Env, report: Report): Omit<Ui, 'secureCookies'> => {
  reportUnknown(env, report);
  const links = {
    privacy: readLink(env, 'UI_PRIVACY_URL', report),
    terms: readLink(env, 'UI_TERMS_URL', report),
    help: readLink(env, 'UI_HELP_URL', report),
  };
  const mustAcceptTerms = readSwitch(env, 'UI_TERMS_REQUIRED', '0', report);
  if (mustAcceptTerms && !links.terms) report('UI_TERMS_REQUIRED=1 needs UI_TERMS_URL, the terms that users accept');
  return {
    brand: readBrand(env, report),
    languages: readLanguages(env, report),
    scopes: readScopes(env, report),
    links,
    home: readLink(env, 'UI_HOME_URL', report),
    mustAcceptTerms,
    clientLogos: readSwitch(env, 'UI_CLIENT_LOGOS', '1', report),
  };
};
