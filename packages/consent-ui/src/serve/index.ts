export type { PagesSettings } from '../settings/schema.ts';
export { type CreatePages, createPages, type Pages, type PagesRequestOptions } from './create-pages.ts';
export { type ConsentUi, openConsentUi } from './open-consent-ui.ts';
