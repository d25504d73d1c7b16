import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface Mailbox {
  readonly port: number;
  /** The URL in the next mail with one to this address that no call has returned yet. Notices have none. */
  linkFor(address: string): Promise<string>;
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
  return {
    port: (listener.address() as AddressInfo).port,
    linkFor: async (address) => {
      for (const end = Date.now() + withinMs; Date.now() < end; await pause(30)) {
        const links = mails.map(({ recipients, source }) =>
          recipients.includes(address) ? linkIn(source) : undefined,
        );
        const index = links.findIndex((each) => each !== undefined);
        const link = links[index];
        if (link === undefined) continue;
        mails.splice(index, 1);
        return link;
      }
      throw new Error(`no mail to ${address} within ${withinMs} ms`);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
