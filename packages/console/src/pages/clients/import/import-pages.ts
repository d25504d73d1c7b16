import { clientImportMessages } from '../../../messages/client-import/index.ts';
import { fill } from '../../../messages/fill.ts';
import { formatNumber } from '../../../page/dates.ts';
import { changeForm, checkbox, hidden, uploadForm } from '../../../page/form.ts';
import { type Html, html } from '../../../page/html.ts';
import { takeSlot } from '../../../page/limited-stream.ts';
import { type Answer, type PageContext, type PageRoute, page, type StreamSlot } from '../../../page/route.ts';
import { clientIndexOf } from '../client-index.ts';
import { problemOfInput } from '../find-client.ts';
import { problemNote } from '../problem-note.ts';
import { type Attempt, attemptEach, createCheck, createRegistration, type Result } from './attempts.ts';
import { clientsIn, type Entry, maxClients, maxFileBytes, pack, unpack } from './import-file.ts';
import { readOffered } from './offered.ts';
import {
  type Counts,
  hasNewSecret,
  needsSecret,
  resultList,
  secretWarning,
  step,
  summary,
  withResults,
} from './progress.ts';

const path = '/import-clients';

const limits = { kind: 'import', mostOfOperator: 1, most: 4, longestMs: 3_600_000 } as const;

const isLenient = ({ form }: Pick<PageContext, 'form'>): boolean => form.get('lenient') === 'true';

const filePage = (context: PageContext, problem?: string, status = 400): Answer => {
  const { language, link } = context;
  const texts = clientImportMessages(language);
  const size = formatNumber(maxFileBytes / 1_000_000, language, { style: 'unit', unit: 'megabyte' });
  const hint = fill(texts.fileHint, { size, clients: formatNumber(maxClients, language) });
  const lenient = html`${checkbox('lenient', texts.lenient, isLenient(context))}<small>${texts.lenientHint}</small>`;
  const file = { name: 'file', label: texts.file, hint, accept: '.json,.jsonl,.ndjson,application/json' };
  return page(
    texts.title,
    html`<p>${texts.about}</p>${problemNote(problem)}${uploadForm(link(path), texts.check, file, lenient)}`,
    problem === undefined ? 200 : status,
  );
};

interface Run {
  readonly entries: readonly Entry[];
  readonly attempt: Attempt;
  /** Above the results. */
  readonly about: string;
  /** The end of the page, below the counts. `withoutSecret`: the clients for which the import generates a secret. */
  readonly end: (counts: Counts, withoutSecret: number) => Promise<Html>;
}

/** So often the page grows, in milliseconds. */
const stepMs = 500;

/**
 * The work runs while its page is sent, and not beside it. So the page shows the progress without a script, and no process keeps a
 * job: whichever worker got the request does the work, and leaving the page cancels it.
 */
async function* runParts(
  context: PageContext,
  { entries, attempt, about, end }: Run,
  slot: StreamSlot,
): AsyncGenerator<Html> {
  const { language, link, server, now } = context;
  const texts = clientImportMessages(language);
  const index = clientIndexOf({ clients: server.clients, now });
  const all = entries.length;
  let counts: Counts = {};
  let unshown: Result[] = [];
  let hasNewSecrets = false;
  let withoutSecret = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  const showResults = (): Html => {
    const results = unshown;
    unshown = [];
    shownAt = now();
    hasNewSecrets ||= results.some(hasNewSecret);
    withoutSecret += results.filter(needsSecret).length;
    counts = withResults(counts, results);
    index.put(...results.flatMap(({ outcome }) => (outcome.type === 'created' ? [outcome.client] : [])));
    return resultList(context, results);
  };
  yield html`<div class="running"><p>${about} <a class="stop" href="${link(path)}">${texts.stop}</a></p>`;
  for await (const results of attemptEach(entries, attempt, slot.ending)) {
    unshown.push(...results);
    if (now() - shownAt >= stepMs) yield html`${showResults()}${step(context, counts, all)}`;
  }
  const failed = unshown.map(({ outcome }) => outcome).find((outcome) => outcome.type === 'failed');
  yield html`${showResults()}<div class="result" role="status">${summary(context, { counts, all, hasNewSecrets })}</div>`;
  if (failed === undefined) yield await end(counts, withoutSecret);
  yield html`<p><a href="${link(path)}">${texts.again}</a></p></div>`;
  if (failed !== undefined) throw failed.error;
}

const run = (context: PageContext, title: string, given: Run): Answer => {
  const slot = takeSlot(context, limits);
  if (slot === undefined) return filePage(context, clientImportMessages(context.language).problems.running, 429);
  return { type: 'stream', title, parts: runParts(context, given, slot), slot };
};

/** Checks the file, and offers to import it as it is. */
const check = async (context: PageContext): Promise<Answer> => {
  const { form, language, link } = context;
  const texts = clientImportMessages(language);
  const text = form.get('file') ?? '';
  const lenient = isLenient(context);
  return run(context, texts.checking, {
    entries: clientsIn(text, texts),
    attempt: createCheck(context, { lenient, offered: await readOffered(context) }),
    about: texts.checkHint,
    end: async ({ ready = 0, existing = 0 }, withoutSecret) => {
      if (ready === 0) return html`<p>${texts.nothing}</p>`;
      const fields = html`${hidden('checked', await pack(text))}${lenient ? hidden('lenient', 'true') : ''}${existing > 0 ? hidden('existing', 'true') : ''}`;
      return html`${secretWarning(context, withoutSecret)}${changeForm(link(path), texts.submit, fields)}`;
    },
  });
};

const importChecked = async (context: PageContext, packed: string): Promise<Answer> => {
  const texts = clientImportMessages(context.language);
  return run(context, texts.importing, {
    entries: clientsIn(await unpack(packed, texts), texts),
    attempt: createRegistration(context, {
      lenient: isLenient(context),
      offered: await readOffered(context),
      hasExisting: context.form.get('existing') === 'true',
    }),
    about: texts.stay,
    end: async () => html``,
  });
};

const receive = async (context: PageContext): Promise<Answer> => {
  const checked = context.form.get('checked');
  try {
    return checked === null ? await check(context) : await importChecked(context, checked);
  } catch (error) {
    return filePage(context, problemOfInput(error));
  }
};

/** Clients of a file: its check, and its import. Not below `/clients/`, where every segment is the id of a client. */
export const routes: readonly PageRoute[] = [
  { method: 'GET', path, role: 'operator', answer: async (context) => filePage(context) },
  { method: 'POST', path, role: 'operator', maxUploadBytes: maxFileBytes, answer: receive },
];
