import { createHmac } from 'node:crypto';

/** The prefix of a secret in the text form of Standard Webhooks. */
const prefix = 'whsec_';

/** The bytes of a secret. Undefined for a text that is none: `whsec_`, and 24 to 64 bytes in base64. */
export const secretBytes = (secret: string): Buffer | undefined => {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  const bytes = Buffer.from(text, 'base64');
  const isCanonical = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  return isCanonical && bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
};

/** The secrets of a text that has several, separated by commas. */
export const splitSecrets = (text: string): readonly string[] => text.split(/[\s,]+/).filter((each) => each !== '');

interface Message {
  readonly id: string;
  /** Seconds since 1970: when this attempt is made. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers that prove the sender and the body (Standard Webhooks 1.0.0). There is a signature for each secret, so that the
 * receiver can change from one to the other at any time.
 */
export const signedHeaders = (
  secrets: readonly Buffer[],
  { id, timestamp, body }: Message,
): Readonly<Record<string, string>> => {
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': signatures.join(' '),
  };
};
