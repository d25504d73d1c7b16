import { changedMeanwhile } from './refusals.ts';

/** The time in a version that a caller has read. @throws AccountsError `changed` for a text that is no version */
export const versionOf = (ifVersion: string | undefined): number | undefined => {
  if (ifVersion === undefined) return undefined;
  if (!/^\d{1,15}$/.test(ifVersion)) throw changedMeanwhile();
  return Number(ifVersion);
};
