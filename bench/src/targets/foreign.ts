import { UsageError } from '../usage-error.ts';
import type { RunningTarget } from './target.ts';

/**
 * A server that runs already: `name=public-url,admin-url`, or `name=public-url,admin-url,process-id` to read the CPU time of a
 * server on this machine.
 *
 * @throws UsageError for any other form
 */
export const parseTarget = (text: string): RunningTarget => {
  const [, name, addresses = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  const [publicUrl = '', adminUrl = '', processId] = addresses.split(',');
  const isPlain = (url: string) => URL.canParse(url) && new URL(url).protocol === 'http:';
  if (name === undefined || !isPlain(publicUrl) || !isPlain(adminUrl) || !/^\d*$/.test(processId ?? '')) {
    throw new UsageError(
      `--target ${text}: it takes name=http://public,http://admin or name=http://public,http://admin,pid`,
    );
  }
  return {
    name,
    publicUrl: publicUrl.replace(/\/$/, ''),
    adminUrl: adminUrl.replace(/\/$/, ''),
    processIds: processId ? [Number(processId)] : [],
    storeProcessIds: [],
    settings: { publicUrl, adminUrl },
    stop: async () => {},
  };
};
