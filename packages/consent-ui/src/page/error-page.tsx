import type { Services } from '../services.ts';
import { homeLink } from './home-page.ts';
import { Page } from './page.tsx';
import { respond } from './respond.ts';
import { viewOf } from './view.ts';

/** A text of the URL, limited to the characters that RFC 6749 allows and to a length. */
const plain = (text: string | null, maximumLength: number): string =>
  (text ?? '')
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')
    .slice(0, maximumLength)
    .trim();

/** The URL of this page with the texts as they are shown. */
const urlWith = (url: URL, texts: Readonly<Record<string, string>>): URL =>
  new URL(`${url.pathname}?${new URLSearchParams(texts)}`, url);

/** GET /error: the provider redirects browsers here if it must not redirect them to the client. */
export const showError = async (services: Pick<Services, 'ui'>, request: Request): Promise<Response> => {
  const asked = viewOf(services, request);
  const texts = asked.text.error;
  const codes: Readonly<Record<string, string>> = texts.codes;
  const query = asked.url.searchParams;
  const error = plain(query.get('error'), 64) || 'unknown_error';
  const description = plain(query.get('error_description'), 400);
  const requestId = plain(query.get('request_id'), 64);
  const text = Object.hasOwn(codes, error) ? codes[error] : undefined;
  const view = { ...asked, url: urlWith(asked.url, { error, error_description: description, request_id: requestId }) };
  const page = (
    <Page view={view} title={texts.title} text={text ?? texts.unknown} action={homeLink(view)}>
      {/* Any site can link to this URL: its text is shown as a report, never as a message of this UI. */}
      <dl className="report">
        <dt>{texts.code}</dt>
        <dd>
          <code>{error}</code>
        </dd>
        {description && (
          <>
            <dt>{texts.reported}</dt>
            <dd dir="ltr">{description}</dd>
          </>
        )}
        {requestId && (
          <>
            <dt>{texts.requestId}</dt>
            <dd>
              <code id="request-id">{requestId}</code>
            </dd>
          </>
        )}
      </dl>
    </Page>
  );
  return respond(view, page, { status: 400 });
};
