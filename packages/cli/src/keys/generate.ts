import { writeFileSync } from 'node:fs';
import { generateKeys } from '@carnet/provider/keys';
import { type Command, exitCodes, text } from '../command.ts';

const writeNewFile = (file: string, content: string): void => {
  try {
    // `wx` checks and creates in one step, so that a key set in use is never overwritten.
    writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const advice =
      code === 'EEXIST' ? 'already exists; move it away or choose another name' : `can't be written (${code})`;
    throw new Error(`${file} ${advice}.`, { cause: error });
  }
};

export const keysGenerate: Command = {
  name: 'keys generate',
  summary: 'Generate private signing keys (RS256, ES256, EdDSA) as a JWKS.',
  options: {
    out: {
      type: 'string',
      value: 'file',
      summary: 'Write a new file that only you can read (mode 0600). Default: stdout.',
    },
  },
  examples: ['carnet keys generate --out keys.json'],
  run: (values, { out }) => {
    const file = text(values, 'out');
    const content = JSON.stringify(generateKeys(), null, 2);
    if (file === undefined) {
      out(content);
      return exitCodes.ok;
    }
    writeNewFile(file, `${content}\n`);
    out(`Wrote ${file}. Set KEYS_FILE to it.`);
    return exitCodes.ok;
  },
};
