import { describe, expect } from 'vitest';
import { totpCode } from '../../../packages/accounts/test/totp-code.ts';
import { click, open, type Step, send } from '../accessibility/journeys.ts';
import { problemsOf, type Reading } from '../accessibility/wcag.ts';
import type { Mailbox } from '../mailbox.ts';
import { newUser, shownKey } from './steps.ts';
import { test } from './test.ts';
import { addVirtualAuthenticator } from './virtual-authenticator.ts';

/** From the sign-in page to the account page with a second factor, and to the sign-in that asks for it. */
const firstDays = (mailbox: Mailbox): readonly Step[] => {
  const user = newUser();
  let key = '';
  const signUp = { email: user.email, name: user.name };
  return [
    ['sign-in', open('/account', '#sign-up')],
    ['sign-up', click('#sign-up', '#name')],
    ['a weak password', send({ ...signUp, password: user.email }, '#message')],
    ['check your mail', send({ ...signUp, password: user.password }, '#resend')],
    [
      'confirm in another browser',
      async (page) => {
        await page.context().clearCookies();
        await page.goto(await mailbox.linkFor(user.email));
      },
    ],
    ['confirmed', send({ password: user.password }, '#continue')],
    ['sign-in again', click('#continue', '#password')],
    ['account', send({ email: user.email, password: user.password }, '#sign-out')],
    ['change the name', click('#edit-profile', '#name')],
    ['change the email address', open('/account/email', '#email')],
    ['no email address', send({ email: 'nobody@nowhere' }, '#message')],
    ['new address', send({ email: `new.${user.email}` }, '#back')],
    [
      'confirm the address',
      async (page) => {
        await page.goto(await mailbox.linkFor(`new.${user.email}`));
      },
    ],
    ['an old link of an address', open('/account/email/confirm?token=old', '#accept')],
    ['an old link of an address, confirmed', click('#accept', '#again')],
    ['change the password', open('/account/password', '#next')],
    ['a wrong password', send({ current: 'wrong', next: 'another long password' }, '#message')],
    ['choice of factors', open('/account/factors/add', '#add-passkey')],
    [
      'authenticator app',
      async (page) => {
        await page.click('#add-totp');
        key = await shownKey(page);
      },
    ],
    ['a wrong code', send({ code: '000000' }, '#message')],
    [
      'recovery codes',
      async (page, stack) => {
        await send({ code: totpCode(key, stack.now()) }, '.recovery-codes')(page);
        stack.passTime(31);
      },
    ],
    ['account with a factor', click('#continue', '#factors .item')],
    ['synchronise', click('#factors .item a[href*=resync]', '#second')],
    [
      'remove',
      async (page, stack) => {
        await open('/account', '#factors .item')(page, stack);
        await click('#factors .item a[href*=remove]', '#accept')(page);
      },
    ],
    ['sign out everywhere', open('/account/sessions/end-all', '#accept')],
    ['signed out', click('#accept', '#sign-in')],
    [
      'second factor',
      async (page, stack) => {
        await open('/account', '#password')(page, stack);
        await send({ email: user.email, password: user.password }, '#code')(page);
      },
    ],
    ['a wrong second factor', send({ code: '000000' }, '#message')],
    ['recovery code', click('#use-recovery_code', '#code')],
  ];
};

/** From a new account to its deletion, and to the sign-in that keeps it. */
const lastDays = (mailbox: Mailbox): readonly Step[] => {
  const user = newUser();
  const credentials = { email: user.email, password: user.password };
  return [
    [
      'account to be deleted',
      async (page, stack) => {
        await open('/account', '#sign-up')(page, stack);
        await click('#sign-up', '#name')(page);
        await send({ ...credentials, name: user.name }, '#resend')(page);
        await page.goto(await mailbox.linkFor(user.email));
        await click('#accept', '#delete-account')(page);
      },
    ],
    ['delete the account', click('#delete-account', '.caution')],
    ['deletion requested', click('#accept', 'main:not(:has(#accept))')],
    [
      'keep the account',
      async (page, stack) => {
        await open('/account', '#password')(page, stack);
        await send(credentials, '#back')(page);
      },
    ],
    ['account kept', click('#accept', '#sign-out')],
  ];
};

const journeys: readonly { readonly name: string; readonly steps: (mailbox: Mailbox) => readonly Step[] }[] = [
  { name: 'accounts', steps: firstDays },
  { name: 'deletion', steps: lastDays },
  {
    name: 'forgotten passwords and expired links',
    steps: () => [
      ['forgotten password', open('/recovery', '#login')],
      ['check your mail', send({ login: 'unknown@example.com' }, '#back')],
      ['an old link', open('/recovery/password?token=old', '#again')],
      ['a link of a sign-up', open('/sign-up/confirm?token=old', '#again')],
      ['an address of another browser', open('/account/email/confirm?token=old', '#again')],
      ['a sign-in of another browser', open('/account/callback?code=c&state=s', '#try-again')],
    ],
  },
];

/** The tests of the pages of accounts. */
export const describeAccountPages = (reading: Reading): void => {
  describe('WCAG 2.2 AA', () => {
    test.for(journeys)(
      `has no violation on the pages of $name in ${reading.locale}`,
      async ({ name, steps }, { stack, mailbox, newPerson }) => {
        const { page } = await newPerson({ locale: reading.locale, reducedMotion: 'reduce' });
        await addVirtualAuthenticator(page);
        expect(await problemsOf(page, stack, reading, { name, steps: steps(mailbox) })).toEqual([]);
      },
    );
  });
};
