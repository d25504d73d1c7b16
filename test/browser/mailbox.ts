import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface Mailbox {
  readonly port: number;
  /** The URL in the next mail with one to this address that no call has returned yet. Notices have none. */
  linkFor(address: string): Promise<string>;
  /** The text of the next mail to this address that contains `part`, and that no call has returned yet. */
  nextTo(address: string, part: string): Promise<string>;
  close(): Promise<void>;
}

interface Mail {
  readonly recipients: readonly string[];
  readonly source: string;
}

const withinMs = 30_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const base64Part = /(?<=content-transfer-encoding: base64\r\n(?:[\w-]+: .*\r\n)*\r\n)[\w+/=\r\n]+/gi;

/** Undoes base64 and quoted-printable (RFC 2045, sections 6.7 and 6.8), as far as URLs need it. */
const decoded = (source: string): string =>
  source
    .replaceAll(base64Part, (part) => Buffer.from(part, 'base64').toString())
    .replaceAll('=\r\n', '')
    .replaceAll('=3D', '=');

const linkIn = (source: string): string | undefined => /https?:\/\/\S+token=[\w.~-]+/.exec(decoded(source))?.[0];

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
  /** Waits for a mail in which `find` finds something, and removes it. */
  const take = async (address: string, find: (source: string) => string | undefined): Promise<string> => {
    for (const end = Date.now() + withinMs; Date.now() < end; await pause(30)) {
      const found = mails.map(({ recipients, source }) => (recipients.includes(address) ? find(source) : undefined));
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
    nextTo: (address, part) =>
      take(address, (source) => (decoded(source).includes(part) ? decoded(source) : undefined)),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
