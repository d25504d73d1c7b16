import type { OrganizationBrand } from '@carnet/accounts/client';
import { parseColor } from '@carnet/adapter-contract/kit';
import { clientLogo } from '../consent/client-logo.tsx';
import { type Brand, createBrand } from './brand.ts';
import { readable } from './palette.ts';
import { darkColorOf } from './read-brand.ts';

/** An organization with its look. */
export interface BrandedOrganization {
  readonly displayName: string;
  readonly brand: OrganizationBrand;
}

const maximumBrands = 1000;
const kept = new WeakMap<Brand, Map<string, Brand>>();

/** Colors without the contrast that text needs (WCAG 2.2 AA) become the nearest one with it. */
const create = (own: Brand, { displayName, brand }: BrandedOrganization, ui: URL): Brand => {
  const { settings, assets } = own;
  const foreignLogo = clientLogo({ logo_uri: brand.logo }, ui);
  const light = parseColor(brand.color ?? '');
  const dark = parseColor(brand.colorDark ?? '') ?? (light && darkColorOf(light));
  const colors = {
    light: light ? readable(light, 'light') : settings.colors.light,
    dark: dark ? readable(dark, 'dark') : settings.colors.dark,
  };
  const name = foreignLogo ? displayName : settings.name;
  return { ...createBrand({ ...settings, name, colors }), assets, foreignLogo };
};

/**
 * The brand of the pages for an organization: its logo and its colors, where it has any, in place of the operator's.
 *
 * @param ui the URL of the pages
 */
export const organizationBrand = (own: Brand, organization: BrandedOrganization, ui: URL): Brand => {
  if (Object.values(organization.brand).every((member) => member === undefined)) return own;
  const brands = kept.get(own) ?? new Map<string, Brand>();
  kept.set(own, brands);
  const key = JSON.stringify([organization.displayName, organization.brand]);
  const found = brands.get(key) ?? create(own, organization, ui);
  if (brands.size >= maximumBrands) brands.clear();
  brands.set(key, found);
  return found;
};
