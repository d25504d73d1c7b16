export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A chart: what is inside its `svg` element, and what it says to screen readers. */
export interface Chart {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly content: string;
}

/** The style of all charts, once per report, with dark colours for readers whose system is dark. */
export const chartStyle = `.chart{font:13px system-ui,"DejaVu Sans",sans-serif}
.chart text{fill:#1f2328}.chart .quiet{fill:#656d76}.chart .bold{font-weight:600}.chart .end{text-anchor:end}
.chart .middle{text-anchor:middle}.chart .paper{fill:#ffffff}.chart .rail{fill:#eceff2}.chart .line{stroke:#656d76}
.chart .good{fill:#2a78d6}.chart .bad{fill:#c4372b}.chart .server{fill:#2a78d6}.chart .store{fill:#c98500}
.chart .load{fill:#9aa1a9}.chart .mark{fill:#1f2328}
@media (prefers-color-scheme:dark){.chart text{fill:#e6edf3}.chart .quiet{fill:#9198a1}.chart .paper{fill:#0d1117}
.chart .rail{fill:#262c36}.chart .line{stroke:#9198a1}.chart .good{fill:#4493f8}.chart .bad{fill:#e5675c}
.chart .server{fill:#4493f8}.chart .store{fill:#d29922}.chart .load{fill:#6e7681}.chart .mark{fill:#e6edf3}}`;

/** A part of a page. */
export const inlineSvg = ({ width, height, title, content }: Chart): string =>
  `<svg class="chart" role="img" aria-label="${escapeXml(title)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${escapeXml(title)}</title>${content}</svg>`;

/** A file by itself. */
export const standaloneSvg = (chart: Chart): string =>
  inlineSvg({
    ...chart,
    content: `<style>${chartStyle}</style><rect class="paper" width="100%" height="100%"/>${chart.content}`,
  }).replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ');

/** The average width of a letter, in pixels. */
const letterWidth = 7.2;

const place = (value: number): string => value.toFixed(1).replace(/\.0$/, '');

/** The width of the longest of these texts, or the minimum if that is greater. */
export const marginFor = (texts: readonly string[], least = 250): number =>
  Math.ceil(Math.max(least, ...texts.map((text) => text.length * letterWidth + 24)));

export interface TextPlace {
  readonly x: number;
  readonly y: number;
  readonly kind?: string;
}

export const textAt = (text: string, { x, y, kind = '' }: TextPlace): string =>
  `<text x="${place(x)}" y="${place(y)}"${kind && ` class="${kind}"`}>${escapeXml(text)}</text>`;

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly kind: string;
  /** Shown under the pointer. */
  readonly hint?: string;
}

export const boxAt = ({ x, y, width, height, kind, hint }: Box): string => {
  const box = `<rect class="${kind}" x="${place(x)}" y="${place(y)}" width="${place(Math.max(0, width))}" height="${place(height)}"`;
  return hint === undefined ? `${box}/>` : `${box}><title>${escapeXml(hint)}</title></rect>`;
};
