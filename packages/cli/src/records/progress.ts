import type { Surface } from '../command.ts';

const progressMs = 5_000;
const barWidth = 24;

const barOf = (part: number): string => `[${'#'.repeat(Math.round(part * barWidth)).padEnd(barWidth, '-')}]`;

/** How much of a known number is done, with a bar, the rate, and the time that is left. */
const shareOf = (count: number, total: number, seconds: number): string => {
  const part = Math.min(count / total, 1);
  const rate = count / seconds;
  const left = Math.ceil(Math.max(total - count, 0) / rate);
  return `${barOf(part)} ${Math.floor(part * 100)} % of ${total}, ${Math.round(rate)}/s, ${left} s left`;
};

/** Reports progress on long work from time to time; with a total, as a bar. */
export const createProgress = ({ err }: Pick<Surface, 'err'>, what: string, total?: number) => {
  const startedAt = performance.now();
  let reportedAt = startedAt;
  return (count: number): void => {
    const now = performance.now();
    if (now - reportedAt < progressMs) return;
    reportedAt = now;
    const share = total && count > 0 ? ` ${shareOf(count, total, (now - startedAt) / 1_000)}` : ' ...';
    err(`${count} records ${what}${share}`);
  };
};
