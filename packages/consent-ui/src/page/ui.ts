import { type Brand, createBrand } from '../brand/brand.ts';
import { carnetColors } from '../brand/read-brand.ts';
import type { ScopeTexts } from '../consent/read-scopes.ts';
import { allLanguages, type Language } from '../messages/languages.ts';

export type FooterLink = 'privacy' | 'terms' | 'help';

/** The settings of the operator that every page depends on. */
export interface Ui {
  readonly brand: Brand;
  /** The offered languages; the first is the default. */
  readonly languages: readonly [Language, ...Language[]];
  readonly scopes: ScopeTexts;
  /** The links at the foot of every page. */
  readonly links: Readonly<Partial<Record<FooterLink, string | undefined>>>;
  /** Where the links "Home" lead: the application of the operator. */
  readonly home: string | undefined;
  /** Whether a sign-up needs a ticked box: the user accepts the terms. */
  readonly mustAcceptTerms: boolean;
  /** Whether the consent page shows the logo of the client. */
  readonly clientLogos: boolean;
  readonly secureCookies: boolean;
}

/** The pages without any setting. */
export const defaultUi: Ui = {
  brand: createBrand({ name: 'Carnet', colors: carnetColors }),
  languages: allLanguages,
  scopes: new Map(),
  links: {},
  home: undefined,
  mustAcceptTerms: false,
  clientLogos: true,
  secureCookies: false,
};
