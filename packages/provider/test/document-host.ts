import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { listen } from '@carnet/test-servers/listen';
import type { Json } from './login.ts';

const pem = (name: string): string => readFileSync(new URL(`fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A host of clients' metadata documents, https on a port of 127.0.0.1, whose certificate this process trusts from now on. */
export interface DocumentHost {
  /** Puts a document at a path, with its `client_id` unless it has one of its own. Returns its URL. */
  put(path: string, document?: Json, headers?: Readonly<Record<string, string>>): string;
  /** Answers like this at a path. Returns its URL. */
  answer(path: string, answer: Answer): string;
  /** What is answered at a path. */
  read(path: string): Answer;
  /** The paths that were fetched. */
  readonly fetched: string[];
  close(): Promise<void>;
}

export const openDocumentHost = async (): Promise<DocumentHost> => {
  const answers = new Map<string, Answer>();
  const fetched: string[] = [];
  const server = createServer({ key: pem('key'), cert: pem('certificate') }, (req, res) => {
    const path = req.url ?? '';
    fetched.push(path);
    const { status = 200, headers = {}, body = '' } = answers.get(path) ?? { status: 404 };
    res.writeHead(status, headers).end(body);
  });
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, pem('certificate')]);
  const { origin, close } = await listen(server);
  const answer: DocumentHost['answer'] = (path, given) => {
    answers.set(path, given);
    return origin + path;
  };
  return {
    answer,
    put: (path, document = {}, headers = {}) =>
      answer(path, { headers, body: JSON.stringify({ client_id: origin + path, ...document }) }),
    read: (path) => answers.get(path) ?? {},
    fetched,
    close: () => {
      setDefaultCACertificates(trusted);
      return close();
    },
  };
};
