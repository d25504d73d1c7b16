import { renderMermaidSVG } from 'beautiful-mermaid';
import type { MarkdownRenderer } from 'vitepress';

/**
 * A diagram as SVG. Its colors are variables that the style sheet of the site sets for the light and the dark mode, so the
 * style of the library is removed, and with it the address of a font server.
 */
export const pictureOf = (diagram: string): string =>
  renderMermaidSVG(diagram, { transparent: true })
    .replace(/<style>.*?<\/style>/s, '')
    // The page scales the picture down, and never up.
    .replace(/ width="([\d.]+)" height="[\d.]+" style="[^"]*"/, ' style="--width:$1px"');

/** Renders each fenced block of Mermaid when the site is built. GitHub renders the same text by itself. */
export const diagrams = (md: MarkdownRenderer): void => {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    if (info.trim() !== 'mermaid') return fence?.(tokens, index, options, env, self) ?? '';
    return `<figure class="diagram">${pictureOf(content)}</figure>\n`;
  };
};
