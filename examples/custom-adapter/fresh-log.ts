import { join } from 'node:path';
import { folderForTests } from '../../test/servers/src/folder-for-tests.ts';

/** A file name in a folder of its own, which goes when the tests of the file have ended. */
export const freshLog = (): string => join(folderForTests(), 'carnet.log');
