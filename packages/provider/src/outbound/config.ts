import { isNetwork, section, wholeNumberSchema } from '@carnet/adapter-contract/settings';
import { z } from 'zod';

const isHost = (text: string): boolean => /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(text);

const allowMessage =
  'must be a list of hosts, each with its port if only that is meant ("billing.internal:8443"), and of networks ("10.1.0.0/16")';

/** Requests that Carnet sends: to URLs that clients have registered, and to hooks. */
export const outboundSchema = section({
  allow: z
    .array(
      z.string().refine((text) => isNetwork(text) || isHost(text), allowMessage),
      { error: allowMessage },
    )
    .default([])
    .describe(
      'Hosts (`name`, `name:port`) and networks (`10.1.0.0/16`) that Carnet may call at private addresses or over http. Every other URL must be https at a public address.',
    ),
  timeoutMs: wholeNumberSchema(100, 60_000)
    .default(5_000)
    .describe(
      'The maximum duration of a request to another server, in milliseconds, from the first packet to the last.',
    ),
  maxBytes: wholeNumberSchema(1_024, 10_485_760)
    .default(65_536)
    .describe('The maximum size of the response of another server, in bytes.'),
});

export type OutboundConfig = z.output<typeof outboundSchema>;
