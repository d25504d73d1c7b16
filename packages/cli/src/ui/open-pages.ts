import type * as consentUi from '@carnet/consent-ui';
import { loadPackage } from '../load-package.ts';

type ConsentUiModule = typeof consentUi;

/**
 * Opens the bundled pages.
 *
 * @param settings variables that override the environment
 * @throws Error if their package is not installed or not built
 */
export const openPages: ConsentUiModule['openConsentUi'] = async (settings) =>
  (await loadPackage<ConsentUiModule>('@carnet/consent-ui')).openConsentUi(settings);
