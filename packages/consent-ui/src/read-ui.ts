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
  'UI_CSS_FILE',
  'UI_LANGUAGES',
  'UI_SCOPES_FILE',
  'UI_COOKIE_SECRET',
] as const;

/** Kubernetes sets such variables for a service with the name `ui`. */
const ofKubernetes = /^UI_(?:SERVICE_|PORT(?:_|$))/;

const reportUnknown = (env: Env, report: Report): void => {
  const known: readonly string[] = variables;
  for (const key of Object.keys(env).filter((each) => each.startsWith('UI_') && !ofKubernetes.test(each))) {
    if (!known.includes(key)) report(`${key} is not a variable of the consent UI: use one of ${known.join(', ')}`);
  }
};

const readLanguages = (env: Env, report: Report): readonly [Language, ...Language[]] => {
  const named = (env.UI_LANGUAGES ?? '').split(/[\s,]+/).filter(Boolean);
  const unknown = named.filter((name) => !isLanguage(name));
  if (unknown.length > 0) report(`UI_LANGUAGES has ${unknown.join(' ')}: it can have ${allLanguages.join(' ')}`);
  const [first, ...others] = named.filter(isLanguage);
  return first ? [first, ...others] : allLanguages;
};

/** Reads the variables `UI_*`. Reports every problem that it finds. */
export const readUi = (env: Env, report: Report): Omit<Ui, 'secureCookies'> => {
  reportUnknown(env, report);
  return { brand: readBrand(env, report), languages: readLanguages(env, report), scopes: readScopes(env, report) };
};
