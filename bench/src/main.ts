// `pnpm bench [scenario ...]`
import { parseArgs } from 'node:util';
import { measureRound, medianOf, type Round, yardstickOf } from './measure.ts';
import { scenarios } from './scenarios/index.ts';
import { runStudy, studies } from './studies/index.ts';
import { startCarnetTarget } from './targets/carnet.ts';
import type { StoreName } from './targets/stores.ts';
import { startYardstick } from './targets/yardstick.ts';

const study = studies.find(({ name }) => name === process.argv[2]);
if (study !== undefined) {
  await runStudy(study, process.argv.slice(3));
  process.exit();
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    store: { type: 'string', default: 'postgres' },
    workers: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
  },
});
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const chosen = positionals.length === 0 ? scenarios : scenarios.filter(({ name }) => positionals.includes(name));

const yardstick = await startYardstick();
const target = await startCarnetTarget({ store: values.store as StoreName, workers: Number(values.workers) });
say(`${target.name}, ${JSON.stringify(target.settings)}`);
say(
  `${'scenario'.padEnd(22)}${['/s', 'p50', 'p95', 'p99', 'cpu', 'store', 'load', 'units', 'cpu units'].map((each) => each.padStart(10)).join('')}`,
);
try {
  for (const scenario of chosen) {
    const yard = yardstickOf(scenario);
    const yardWork = await yard.prepare(yardstick);
    const work = await scenario.prepare(target);
    await measureRound(yardstick, yardWork, yard);
    await measureRound(target, work, scenario);
    const rounds: Round[] = [];
    const yards: Round[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      yards.push(await measureRound(yardstick, yardWork, yard));
      rounds.push(await measureRound(target, work, scenario));
    }
    const [own, unit] = [medianOf(rounds), medianOf(yards)];
    const figures = [
      own.perSecond,
      own.p50,
      own.p95,
      own.p99,
      own.serverCpu,
      own.storeCpu,
      own.generatorCpu,
      unit.perSecond / own.perSecond,
      own.serverCpu / unit.serverCpu,
    ];
    say(
      `${scenario.name.padEnd(22)}${figures.map((each) => each.toFixed(each > 100 ? 0 : 1).padStart(10)).join('')}   (yardstick ${unit.perSecond.toFixed(0)}/s, ${unit.serverCpu.toFixed(1)} us)`,
    );
  }
} finally {
  await target.stop();
  await yardstick.stop();
}
process.exit();
