import type { Results } from '../report/results.ts';
import { cpuChart } from './cpu-chart.ts';
import { figuresChart } from './figures-chart.ts';
import { ratesChart } from './rates-chart.ts';
import type { Chart } from './svg.ts';

/** CPU microseconds above which a scenario has a chart of its own: its bar would hide the others. */
const severalRequests = 600;

const figuresChartOf = ({ verdicts, machine, targets }: Results): Chart =>
  figuresChart(verdicts, `${machine.cores} cores for everything; ${targets.map(({ name }) => name).join(', ')}`);

/** The charts of a run by the name of their file. */
export const chartsOf = (results: Results): ReadonlyMap<string, Chart> => {
  const { outcomes, verdicts } = results;
  const isCostly = ({ median }: (typeof outcomes)[number]) => median.serverCpu >= severalRequests;
  const costly = outcomes.filter(isCostly);
  const cheap = outcomes.filter((outcome) => !isCostly(outcome));
  const charts: (readonly [string, Chart])[] = [];
  if (outcomes.length > 0) charts.push(['rates', ratesChart(outcomes)]);
  if (cheap.length > 0) charts.push(['cpu-requests', cpuChart(cheap, 'one request')]);
  if (costly.length > 0) charts.push(['cpu-logins', cpuChart(costly, 'one login, or one secret to hash')]);
  if (verdicts.length > 0) charts.push(['figures', figuresChartOf(results)]);
  return new Map(charts);
};
