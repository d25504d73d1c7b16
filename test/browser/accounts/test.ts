import { startSlapd } from '@carnet/test-servers';
import { startMailbox } from '../mailbox.ts';
import { startStack } from '../stack.ts';
import { test as base } from '../test.ts';
import { openAccount } from './steps.ts';

export const withoutScript = { javaScriptEnabled: false };

/** A test with a stack whose users are in an accounts database, and with the mailbox of all its emails. */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what is needed off the pattern
  .extend('mailbox', { scope: 'file' }, async ({}, { onCleanup }) => {
    const mailbox = await startMailbox();
    onCleanup(() => mailbox.close());
    return mailbox;
  })
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads what is needed off the pattern
  .extend('slapd', { scope: 'file' }, async ({}, { onCleanup }) => {
    const slapd = await startSlapd({ users: 1, hash: 'ssha' });
    onCleanup(() => slapd.close());
    return slapd;
  })
  .extend('stack', { scope: 'file' }, async ({ mailbox, slapd }, { onCleanup }) => {
    const stack = await startStack({ accounts: { mailPort: mailbox.port, slapd } });
    onCleanup(() => stack.stop());
    return stack;
  })
  /** A new user on the account page, in a browser without JavaScript. */
  .extend('owner', async ({ stack, newPerson }) => {
    const person = await newPerson(withoutScript);
    return { ...person, user: await openAccount(person.page, stack) };
  });
