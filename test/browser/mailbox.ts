import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { partsOf } from '../../packages/accounts/test/mail/smtp-mailbox.ts';

export interface Mailbox {
  readonly port: number;
  /** The URL in the next mail with one to this address that no call has returned yet. Notices have none. */
  linkFor(address: string): Promise<string>;
  /** The text of the next mail to this address that contains `part`, and that no call has returned yet. */
  nextTo(address: string, part: string): Promise<string>;
  close(): Promise<void>;
}

const withinMs = 30_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const linkIn = (mail: string): string | undefined => /https?:\/\/\S+token=[\w.~-]+/.exec(mail)?.[0];

/** A real SMTP server on 127.0.0.1. */
export const startMailbox = async (): Promise<Mailbox> => {
  const mails: { readonly recipients: readonly string[]; readonly mail: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onData: (stream, { envelope }, callback) => {
      void text(stream).then((source) => {
        const recipients = envelope.rcptTo.map(({ address }) => address);
        mails.push({ recipients, mail: partsOf({ source }).join('\n') });
        callback();
      });
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  /** Waits for a mail in which `find` finds something, and removes it. */
  const take = async (address: string, find: (mail: string) => string | undefined): Promise<string> => {
    for (const end = Date.now() + withinMs; Date.now() < end; await pause(30)) {
      const found = mails.map(({ recipients, mail }) => (recipients.includes(address) ? find(mail) : undefined));
      const index = found.findIndex((each) => each !== undefined);
      const text = found[index];
      if (text === undefined) continue;
      mails.splice(index, 1);
      return text;
    }
    throw new Error(`no mail to ${address} within ${withinMs} ms`);
  };
  return {
    port: (listener.address() as AddressInfo).port,
    linkFor: (address) => take(address, linkIn),
    nextTo: (address, part) => take(address, (mail) => (mail.includes(part) ? mail : undefined)),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
