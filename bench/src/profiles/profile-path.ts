import { join } from 'node:path';

/** The file of a process's profile. The first process is number 0. */
export const profilePath = (folder: string, processId: number, number: number): string =>
  join(folder, `${processId}-${number}.cpuprofile`);
