import { readBrand } from '../brand/read-brand.ts';
import { readScopes } from '../consent/read-scopes.ts';
import type { Ui } from '../page/ui.ts';
import type { Checked } from './read-settings.ts';

/** The look of the pages. Reports every problem that it finds. */
export const readUi = (checked: Checked): Omit<Ui, 'secureCookies'> => {
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
