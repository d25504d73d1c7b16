import { join } from 'node:path';

/** Where a process leaves its profile, the first being number 0. */
export const profilePath = (folder: string, processId: number, number: number): string =>
  join(folder, `${processId}-${number}.cpuprofile`);
