import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface Mailbox {
  readonly port: number;
  /** The URL in the next mail to this address that no call has returned yet. */
  linkFor(address: string): Promise<string>;
  close(): Promise<void>;
}

interface Mail {
  readonly recipients: readonly string[];
  readonly source: string;
}

const withinMs = 10_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Undoes quoted-printable (RFC 2045, section 6.7), as far as URLs need it. */
const decoded = (source: string): string => source.replaceAll('=\r\n', '').replaceAll('=3D', '=');

/** A real SMTP server on 127.0.0.1. */
export const startMailbox = async (): Promise<Mailbox> => {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onData: (stream, { envelope }, callback) => {
      void text(stream).then((source) => {
        mails.push({ recipients: envelope.rcptTo.map(({ address }) => address), source });
        callback();
      });
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    linkFor: async (address) => {
      for (const end = Date.now() + withinMs; Date.now() < end; await pause(30)) {
        const index = mails.findIndex(({ recipients }) => recipients.includes(address));
        if (index === -1) continue;
        const [mail] = mails.splice(index, 1);
        const link = /https?:\/\/\S+token=[\w.~-]+/.exec(decoded(mail?.source ?? ''))?.[0];
        if (link === undefined) throw new Error(`the mail has no link:\n${mail?.source}`);
        return link;
      }
      throw new Error(`no mail to ${address} within ${withinMs} ms`);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
