import { click, type Journey, type Step } from '../../../../test/browser/accessibility/journeys.ts';
import type { Browser } from './observed-page.ts';
import type { ProviderPages } from './provider-pages.ts';

type Page = Awaited<ReturnType<Browser['newPage']>>;

let challenges = 0;

/** A sign-in page of its own. */
export const openLogin = async (page: Page, { ui }: ProviderPages): Promise<void> => {
  challenges += 1;
  await page.goto(`${ui}/login?login_challenge=c${challenges}`);
  await page.waitForSelector('#provider-corp');
};

/** To the page after the provider's, by the button with this id there. */
export const toAnswer = async (page: Page, pages: ProviderPages, code: string): Promise<void> => {
  await openLogin(page, pages);
  await page.click('#provider-corp');
  await page.click(`#${code}`);
};

/** The page after this answer of the provider. */
export const answered =
  (code: string, selector: string) =>
  async (page: Page, pages: ProviderPages): Promise<void> => {
    await toAnswer(page, pages, code);
    await page.waitForSelector(selector);
  };

const onAccount = async (page: Page, pages: ProviderPages): Promise<void> => {
  await page.context().addCookies([{ ...pages.session, url: pages.ui }]);
  await page.goto(`${pages.ui}/account`);
  await page.waitForSelector('#providers');
};

const steps: readonly Step<ProviderPages>[] = [
  ['sign-in', openLogin],
  ['first sign-in', answered('first', '#accept')],
  ['address of a user', answered('link', '#password')],
  [
    'address of a user, wrong password',
    async (page) => {
      await page.fill('#password', 'wrong');
      await click('#accept', '#message')(page);
    },
  ],
  ['second factor', answered('factor', '#code')],
  ['denied', answered('denied', '#reject')],
  ['failed', answered('provider_failed', '#reject')],
  ['unknown user', answered('unknown_user', '#reject')],
  [
    'sign-in of another browser',
    async (page, pages) => {
      await openLogin(page, pages);
      await page.click('#provider-corp');
      await page.context().clearCookies();
      await click('#good', '#home')(page);
    },
  ],
  ['account', onAccount],
  ['connect', click('#connect-google', '#accept')],
  [
    'nothing was connected',
    async (page) => {
      await page.click('#accept');
      await click('#denied', '#back')(page);
    },
  ],
  [
    'remove',
    async (page, pages) => {
      await onAccount(page, pages);
      await click('#providers .item a', '#accept')(page);
    },
  ],
  ['the last way', click('#accept', '#back')],
];

/** The script of the page would leave it at once. */
const stayOnForms = (): void => {
  HTMLFormElement.prototype.submit = () => {};
};

const formSteps: readonly Step<ProviderPages>[] = [
  [
    'one more step',
    async (page, pages) => {
      await page.addInitScript(stayOnForms);
      await openLogin(page, pages);
      await page.click('#provider-corp');
      await click('#form-post', '#post-again')(page);
    },
  ],
];

/** The pages of sign-in with a provider in every state. */
export const providerJourneys: readonly Journey<ProviderPages>[] = [
  { name: 'providers', steps },
  { name: 'a form of a provider', steps: formSteps },
];
