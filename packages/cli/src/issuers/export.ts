import { type FileHandle, open, unlink } from 'node:fs/promises';
import { bindAdapter } from '@carnet/adapter-contract';
import { type Command, text, UsageError } from '../command.ts';
import { configOptions } from '../config/command-line.ts';
import { chosenIssuer, createProgress, firstOption, scanPages, shownName, withAllRecords } from './issuer-store.ts';
import { endLine, headerLine, recordLine } from './record-lines.ts';

/** Creates a file that only this user can read, and removes it if `write` fails. @throws Error if the file exists */
const writeNewFile = async (path: string, write: (file: FileHandle) => Promise<void>): Promise<void> => {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} can't be created (${error.code}).`);
  });
  try {
    await write(file);
    await file.sync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
};

export const issuersExport: Command = {
  name: 'issuers export',
  summary:
    'Write all records of an issuer into a file of JSON lines. It has personal data, and keys and secrets as they are stored: encrypted or hashed.',
  options: {
    output: { type: 'string', short: 'o', value: 'file', summary: 'The file. It must not exist.' },
    ...firstOption,
    ...configOptions,
  },
  operands: '<name>',
  examples: ['carnet issuers export acme --output acme.jsonl --config carnet.yaml'],
  run: async (values, surface, operands) => {
    const { name, rest } = chosenIssuer(values, operands);
    if (rest.length > 0) throw new UsageError('Give one name of an issuer.');
    const path = text(values, 'output');
    if (path === undefined) throw new UsageError('Name the file: --output acme.jsonl');
    let count = 0;
    await withAllRecords(values, surface, (store) =>
      writeNewFile(path, async (file) => {
        const onProgress = createProgress(surface, 'written');
        await file.writeFile(`${headerLine(name, new Date())}\n`);
        for await (const records of scanPages(bindAdapter(store, name))) {
          if (records.length > 0) await file.writeFile(`${records.map(recordLine).join('\n')}\n`);
          count += records.length;
          onProgress(count);
        }
        await file.writeFile(`${endLine(count)}\n`);
      }),
    );
    surface.out(`${count} records of ${shownName(name)} written to ${path}.`);
    surface.out(
      'To use the keys in it, an installation needs the same secrets.system and keys.sealedBy. Users of an accounts database are not in the file.',
    );
  },
};
