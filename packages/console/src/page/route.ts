import type { Operator } from '../access/operator.ts';
import type { Watch } from '../access/session-watch.ts';
import type { Language } from '../messages/languages.ts';
import type { ConsoleServer } from '../server/console-server.ts';
import type { AuditChange } from './audit.ts';
import type { Html } from './html.ts';

/** A request of an operator who may call the route. */
export interface PageContext {
  /** The named segments of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a POST request; empty for GET. */
  readonly form: URLSearchParams;
  /** Aborted when the browser goes away. */
  readonly signal: AbortSignal;
  readonly operator: Operator;
  /** For streams: reports the end of the session of the operator. */
  readonly watchSession: () => Watch;
  readonly server: ConsoleServer;
  readonly language: Language;
  /** The URL of a page: the path with the mount point of the console, and the parameters that are defined. */
  readonly link: (path: string, query?: Readonly<Record<string, string | undefined>>) => string;
  /** The URL of the console, with its path. */
  readonly url: URL;
  /** Writes the audit record of a change, with the operator. */
  readonly audit: AuditChange;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The place of a stream. */
export interface StreamSlot {
  /** Aborted when the browser goes away, the session of the operator ends, or the time is over. */
  readonly ending: AbortSignal;
  /** Called when the stream has ended. */
  readonly release: () => void;
}

/**
 * The result of a route. A `Response` is sent as it is, such as a stream of events or a file. The parts of a `stream` are sent as
 * they come: long work runs in the answer to its request, and the page shows its progress without a script.
 */
export type Answer =
  | { readonly type: 'page'; readonly title: string; readonly body: Html; readonly status?: number }
  | {
      readonly type: 'stream';
      readonly title: string;
      readonly parts: AsyncGenerator<Html>;
      readonly slot: StreamSlot;
    }
  | { readonly type: 'redirect'; readonly to: string }
  | Response;

export interface PageRoute {
  readonly method: 'GET' | 'POST';
  /** In the syntax of Hono: `/clients/:id`. */
  readonly path: string;
  /** The least role that may call it. Every route that changes something is POST, and needs `operator`. */
  readonly role: Operator['role'];
  /** The most bytes of a form with files. Default: no files, and a short form. */
  readonly maxUploadBytes?: number;
  readonly answer: (context: PageContext) => Promise<Answer>;
}

/** A page of the console. */
export const page = (title: string, body: Html, status = 200): Answer => ({ type: 'page', title, body, status });

/** Sends the browser to another page with 303, after a change. */
export const redirect = (to: string): Answer => ({ type: 'redirect', to });
