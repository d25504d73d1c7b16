import { boxAt, type Chart, escapeXml } from '../charts/svg.ts';
import type { Frame } from './cpu-profile.ts';
import { originOf, placeOf } from './origin.ts';

const width = 1_180;
const rowHeight = 17;
/** Pixels: narrower boxes are left out. */
const narrowest = 0.5;
const letterWidth = 6.2;

/** In addition to the style of the other charts. */
const flameStyle = `.flame{font:11px ui-monospace,"DejaVu Sans Mono",monospace}.flame text{fill:#14181d;pointer-events:none}
.flame .ours{fill:#6ba6ee}.flame .package{fill:#f0b84a}.flame .node{fill:#8fcf9f}.flame .engine{fill:#c3c8ce}`;

interface Row {
  readonly x: number;
  readonly depth: number;
  readonly scale: number;
}

const label = (name: string, room: number): string => {
  const letters = Math.floor((room - 6) / letterWidth);
  if (letters < 3) return '';
  return name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
};

const draw = (frame: Frame, { x, depth, scale }: Row, root: Frame, drawn: string[]): number => {
  const wide = frame.total * scale;
  if (wide < narrowest) return depth;
  const { kind, name: origin } = originOf(frame);
  const y = depth * rowHeight;
  const share = ((100 * frame.total) / root.total).toFixed(1);
  const hint = `${placeOf(frame)} (${origin}): ${share} %, itself ${((100 * frame.self) / root.total).toFixed(1)} %`;
  drawn.push(boxAt({ x, y, width: wide - 0.5, height: rowHeight - 1, kind, hint }));
  const text = label(frame.name, wide);
  if (text !== '') drawn.push(`<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${escapeXml(text)}</text>`);
  let at = x;
  let deepest = depth;
  const callees = [...frame.callees.values()].sort((one, other) => other.total - one.total);
  for (const callee of callees) {
    deepest = Math.max(deepest, draw(callee, { x: at, depth: depth + 1, scale }, root, drawn));
    at += callee.total * scale;
  }
  return deepest;
};

/** Callers above their callees, as wide as the time spent in them. The colour shows the origin of the code. */
export const flameGraph = (root: Frame, title: string): Chart => {
  const drawn: string[] = [];
  const deepest = draw(root, { x: 0, depth: 0, scale: width / Math.max(1, root.total) }, root, drawn);
  return {
    width,
    height: (deepest + 1) * rowHeight,
    title,
    content: `<style>${flameStyle}</style><g class="flame">${drawn.join('')}</g>`,
  };
};
