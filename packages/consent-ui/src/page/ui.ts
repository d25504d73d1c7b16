import { allLanguages, type Language } from '../messages/languages.ts';
import { type Brand, createBrand } from './brand.ts';

/** The settings of the operator that every page depends on. */
export interface Ui {
  readonly brand: Brand;
  /** The offered languages; the first is the default. */
  readonly languages: readonly [Language, ...Language[]];
  readonly secureCookies: boolean;
}

/** The pages without any setting. */
export const defaultUi: Ui = {
  brand: createBrand({ name: 'Carnet' }),
  languages: allLanguages,
  secureCookies: false,
};
