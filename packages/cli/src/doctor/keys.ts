import { type CheckedSigner, checkSigners, loadKeys } from '@carnet/provider/keys';
import { issuerUrl } from '@carnet/provider/server';
import { explain } from '../explain.ts';
import { ask, parseObject } from './ask.ts';
import { type Check, type CheckContext, type Finding, fail, ok, warn } from './check.ts';

const publishedKids = async (issuer: string): Promise<readonly string[] | undefined> => {
  const answer = await ask(issuerUrl(issuer, '/.well-known/jwks.json'));
  const keys = typeof answer === 'string' ? undefined : parseObject(answer.text)?.keys;
  return Array.isArray(keys) ? keys.map((key: { kid?: unknown }) => String(key.kid)) : undefined;
};

const findingOf = ({ service, handle = 'keys', alg = '', problem }: CheckedSigner): Finding =>
  problem === undefined
    ? ok(`${service}: ${handle} signs (${alg})`)
    : fail(`${service}: ${handle}: ${problem}`, 'See docs/operate/keys.md, and check keys.signer (SIGNER).');

/** Whether each key of the services signs. */
const checkExternal = async ({ config }: CheckContext): Promise<readonly Finding[]> => {
  try {
    return (await checkSigners(config)).map(findingOf);
  } catch (error) {
    return [fail(explain(error), 'Check keys.signer (SIGNER).')];
  }
};

/** Whether the configured signing keys are published, and other users can't read their file. */
export const keys: Check = {
  name: 'keys',
  run: async (context) => {
    const { config } = context;
    if (config.keys.source === 'external') return checkExternal(context);
    const published = await publishedKids(config.issuer);
    if (config.keys.source === 'store') {
      if (published === undefined) return [];
      const count = published.length;
      return [ok(`in the store; ${count} published. \`carnet keys list\` shows until when each of them signs`)];
    }
    // Errors in the file are problems of the configuration, which is loaded before.
    const { signers, warnings } = loadKeys(config.keys);
    const found: Finding[] = warnings.map((warning) => warn(warning, 'See docs/operate/keys.md.'));
    const missing = signers.filter(({ kid }) => published !== undefined && !published.includes(kid));
    if (missing.length > 0) {
      found.push(
        fail(
          `${missing.map(({ kid }) => kid).join(', ')}: configured here, and not published by the issuer`,
          'A process with other keys answers there: restart all processes with the same keys.',
        ),
      );
    }
    const rsaOnly = signers.every(({ alg }) => alg === 'RS256');
    if (rsaOnly) found.push(warn('only RSA', 'ES256 signs about twenty times faster: `carnet keys generate`.'));
    return found.length > 0 ? found : [ok(`${signers.length}, as published`)];
  },
};
