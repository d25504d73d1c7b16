import type * as consentUi from '@carnet/consent-ui';

type ConsentUiModule = typeof consentUi;

/** Loaded by name: only who serves the bundled pages has to install them. */
const packageName = '@carnet/consent-ui';

const loadConsentUi = async (): Promise<ConsentUiModule> => {
  try {
    return (await import(packageName)) as ConsentUiModule;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new Error(`The package ${packageName} is not installed. Run \`npm install ${packageName}\`.`);
  }
};

/**
 * Opens the bundled pages.
 *
 * @param settings variables that override the environment
 * @throws Error if their package is not installed or not built
 */
export const openPages: ConsentUiModule['openConsentUi'] = async (settings) =>
  (await loadConsentUi()).openConsentUi(settings);
