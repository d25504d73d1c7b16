import { createHash } from 'node:crypto';
import { passkeys } from './passkeys.ts';
import { passwordToggle } from './password-toggle.ts';
import { postAgain, rememberAtProvider } from './providers.ts';

/**
 * The functions that run in the browser, in this order. Each is sent as its source text, so that it may use only
 * globals of the browser and nothing from its module. Pages work without them.
 */
const parts: readonly (() => void)[] = [passwordToggle, passkeys, rememberAtProvider, postAgain];

/** The script of every page. */
export const pageScript = parts.map((part) => `(${part})();`).join('');

/** The hash of the script for the Content-Security-Policy. */
export const scriptHash = createHash('sha256').update(pageScript).digest('base64');
