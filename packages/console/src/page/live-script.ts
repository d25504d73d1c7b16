/** The script of live pages: it writes the figures of a stream into the page. Without it, the page has those of its time. */
export const liveScript = `
for (const list of document.querySelectorAll('[data-live]')) {
  const source = new EventSource(list.dataset.live);
  source.addEventListener('message', ({ data }) => {
    for (const [name, text] of Object.entries(JSON.parse(data))) {
      const place = list.querySelector('[data-figure="' + CSS.escape(name) + '"]');
      if (place !== null) place.textContent = text;
    }
  });
  addEventListener('pagehide', () => source.close());
}
`;
