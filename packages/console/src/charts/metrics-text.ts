/** A value of a metric, with its labels. */
export interface Measured {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const linePattern = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const labelPattern = /(\w+)="((?:[^"\\]|\\.)*)"/g;

const numberIn = (text: string): number => (text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text));

/** The values in the text format of Prometheus. Lines that it does not have are left out. */
export const parseMetrics = (text: string): readonly Measured[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value = ''] = linePattern.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(labelPattern)].map(([, key = '', quoted = '']) => [
      key,
      quoted.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
    ]);
    return [{ name, labels: Object.fromEntries(pairs), value: numberIn(value) }];
  });
