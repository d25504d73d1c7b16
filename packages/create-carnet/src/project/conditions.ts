/** A line of a template that begins or ends a part: `//@if own mcp`, `#@if !own`, `<!--@if own-->`, `//@end`. */
const marker = /^\s*(?:\/\/|#|<!--)@(?:(if) ([\w! -]+?)|(end))(?:-->)?$/;

const holds = (condition: string, facts: ReadonlySet<string>): boolean =>
  condition.split(' ').every((word) => (word.startsWith('!') ? !facts.has(word.slice(1)) : facts.has(word)));

/**
 * Keeps the parts of a template whose conditions hold, without the markers. A template with all of its parts is a valid
 * program, so that the tools of the workspace check it.
 *
 * @throws Error for an `@end` without `@if`, and for the reverse
 */
export const applyConditions = (template: string, facts: ReadonlySet<string>): string => {
  const open: boolean[] = [];
  const lines = template.split('\n').filter((line) => {
    const [isMarker, opens, condition = '', closes] = marker.exec(line) ?? [];
    if (opens !== undefined) open.push(holds(condition, facts));
    if (closes !== undefined && open.pop() === undefined) throw new Error('@end without @if');
    return isMarker === undefined && open.every(Boolean);
  });
  if (open.length > 0) throw new Error('@if without @end');
  return lines.join('\n');
};
