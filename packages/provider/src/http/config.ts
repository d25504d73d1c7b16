import { z } from 'zod';
import { durationSchema } from '../duration.ts';

/** Whether a host of a URL or a listener leads back to this machine and to nothing else. */
export const isLoopbackHost = (host: string): boolean => /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/i.test(host);

const parseUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** An absolute http(s) URL without credentials and fragment. */
export const httpUrlSchema = z
  .string({ error: 'must be an absolute http or https URL' })
  .refine((text) => /^https?:$/.test(parseUrl(text)?.protocol ?? ''), 'must be an absolute http or https URL')
  .refine((text) => !parseUrl(text)?.username && !parseUrl(text)?.password, 'must not hold a user name or password')
  .refine((text) => !text.includes('#'), 'must not have a fragment (#)');

export const hostSchema = z
  .string({ error: 'must be an IP address or host name to listen on' })
  .regex(/^[\w.:%-]+$/, 'must be an IP address or host name to listen on, without a port');

/** 0 lets the system choose, for tests. */
export const portSchema = z
  .int({ error: 'must be a whole number from 0 to 65535' })
  .min(0, 'must be a whole number from 0 to 65535')
  .max(65_535, 'must be a whole number from 0 to 65535');

/** Values of the `Host` header: a name, with a port if it is not the scheme's own, or with `:*` for any. */
export const allowedHostsSchema = z
  .array(
    z
      .string()
      .regex(
        /^(?:[\w.-]+|\[[\da-f:.]+\])(?::(?:\d{1,5}|\*))?$/i,
        'must be host names, each with its port if it has one',
      ),
    {
      error: 'must be a list of host names',
    },
  )
  .default([]);

export const publicSchema = z
  .strictObject({
    host: hostSchema.optional().describe('Where the public listener is bound. 0.0.0.0, or 127.0.0.1 in dev mode.'),
    port: portSchema.default(4444).describe('The port of the public listener.'),
  })
  .prefault({});

export const httpSchema = z
  .strictObject({
    allowedHosts: allowedHostsSchema.describe("Host headers that are answered besides the issuer's."),
    shutdownSeconds: durationSchema(0, 600)
      .default(10)
      .describe('How long requests under way may take after SIGTERM before they are cut off.'),
  })
  .prefault({});
