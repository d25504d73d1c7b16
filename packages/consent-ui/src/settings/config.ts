import { readBrand } from '../brand/read-brand.ts';
import { readScopes } from '../consent/read-scopes.ts';
import type { Ui } from '../page/ui.ts';
import { type Checked, checkSettings, type Given } from './read-settings.ts';
import type { Settings } from './schema.ts';

/** The settings, and those that follow from them. */
export interface Config extends Settings {
  /** The URL by which browsers reach the pages. */
  readonly uiUrl: URL;
  /** Whether browsers reach the pages by https; then their cookies are Secure and have the `__Host-` prefix. */
  readonly secureCookies: boolean;
  readonly ui: Omit<Ui, 'secureCookies'>;
}

/** The look of the pages. Reports every problem that it finds. */
const readUi = (checked: Checked): Omit<Ui, 'secureCookies'> => {
  const { values, nameOf, report } = checked;
  const { privacyUrl: privacy, termsUrl: terms, helpUrl: help, termsRequired: mustAcceptTerms } = values;
  if (mustAcceptTerms && terms === undefined)
    report(`${nameOf('termsRequired')} needs ${nameOf('termsUrl')}, the terms that users accept`);
  return {
    brand: readBrand(checked),
    languages: values.languages,
    scopes: readScopes(checked),
    links: { privacy, terms, help },
    home: values.homeUrl,
    mustAcceptTerms,
    clientLogos: values.clientLogos,
  };
};

/** All problems of the settings, reported at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** @throws ConfigError that names each setting, or its variable, and what to do */
export const readConfig = (given: Given): Config => {
  const problems: string[] = [];
  const checked = checkSettings(given, (problem) => problems.push(problem));
  const { values } = checked;
  const ui = readUi(checked);
  if (problems.length > 0)
    throw new ConfigError(`The consent UI can't start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  const uiUrl = values.url ?? new URL(values.issuer.origin);
  return { ...values, uiUrl, secureCookies: uiUrl.protocol === 'https:', ui };
};
