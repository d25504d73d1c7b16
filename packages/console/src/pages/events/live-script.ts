/**
 * The script of the live page: it adds each new event at the top of the table. The cells are HTML of the server, in which every
 * value is escaped, as in the page.
 */
export const liveScript = `
const status = document.querySelector('[data-live]');
const rows = document.querySelector('tbody');
const source = new EventSource(status.dataset.live);
const longest = 500;
source.onopen = () => { status.textContent = status.dataset.connected; };
source.onerror = () => { status.textContent = status.dataset.lost; };
source.onmessage = ({ data }) => {
  if (rows === null) return location.reload();
  const [first, ...rest] = JSON.parse(data);
  const row = '<tr><th scope="row">' + first + '</th>' + rest.map((cell) => '<td>' + cell + '</td>').join('') + '</tr>';
  rows.insertAdjacentHTML('afterbegin', row);
  while (rows.rows.length > longest) rows.lastElementChild.remove();
};
`;
