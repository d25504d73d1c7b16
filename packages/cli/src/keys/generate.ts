import { generateKeys } from '@carnet/provider/keys';
import { type Command, text } from '../command.ts';
import { writeNewFiles } from '../write-new-files.ts';

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
    if (file !== undefined) writeNewFiles([{ path: file, content: `${content}\n`, mode: 0o600 }]);
    out(file === undefined ? content : `Wrote ${file}. Set KEYS_FILE to it.`);
  },
};
