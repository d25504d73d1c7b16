import { type Brand, createBrand } from '../brand/brand.ts';
import { carnetColors } from '../brand/read-brand.ts';
import type { ScopeTexts } from '../consent/read-scopes.ts';
import { allLanguages, type Language } from '../messages/languages.ts';

/** The settings of the operator that every page depends on. */
export interface Ui {
  readonly brand: Brand;
  /** The offered languages; the first is the default. */
  readonly languages: readonly [Language, ...Language[]];
  readonly scopes: ScopeTexts;
  readonly secureCookies: boolean;
}

/** The pages without any setting. */
export const defaultUi: Ui = {
  brand: createBrand({ name: 'Carnet', colors: carnetColors }),
  languages: allLanguages,
  scopes: new Map(),
  secureCookies: false,
};
