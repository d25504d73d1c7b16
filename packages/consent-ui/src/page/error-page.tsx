import { Notice } from './notice.tsx';
import { respond } from './respond.ts';

/** What the person reads for an error code (RFC 6749, section 4.1.2.1; OpenID Connect Core, section 3.1.2.6). */
const texts: Readonly<Record<string, string>> = {
  access_denied: 'The access was not allowed.',
  invalid_request: 'The application asked in a way that this service does not understand.',
  invalid_client: 'The application is not known here.',
  invalid_scope: 'The application asked for access that it is not allowed to request.',
  invalid_redirect_uri: 'The application asked to be answered at an address that it has not registered.',
  unauthorized_client: 'This application is not allowed to use this sign-in method.',
  unsupported_response_type: 'This application is not allowed to use this sign-in method.',
  login_required: 'You need to sign in first.',
  consent_required: 'You need to allow the access first.',
  // Ory Hydra sends people here with these, too; Carnet shows a page of its own.
  request_forbidden: 'This sign-in was begun in another browser, or its cookies were blocked.',
  temporarily_unavailable: 'The sign-in service is busy. Try again in a moment.',
  server_error: 'The sign-in service had a problem of its own.',
};

/** Of a text from the address the characters that RFC 6749 allows there, up to a length. */
const plain = (text: string | null, maximumLength: number): string =>
  (text ?? '')
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')
    .slice(0, maximumLength)
    .trim();

/** GET /error: where the provider sends people when it must not send them back to the client. */
export const showError = async (request: Request): Promise<Response> => {
  const query = new URL(request.url).searchParams;
  const error = plain(query.get('error'), 64) || 'unknown_error';
  const description = plain(query.get('error_description'), 400);
  const text = Object.hasOwn(texts, error) ? texts[error] : undefined;
  const page = (
    <Notice
      title="The request failed"
      text={text ?? 'The request could not be completed. Go back to the application and try again.'}
      action={{ label: 'Home', href: '/' }}
    >
      {/* Anybody can write this address, so what it says is shown as a report and never as words of ours. */}
      <dl className="report">
        <dt>Error</dt>
        <dd>
          <code>{error}</code>
        </dd>
        {description && (
          <>
            <dt>Reported reason</dt>
            <dd>{description}</dd>
          </>
        )}
      </dl>
    </Notice>
  );
  return respond(page, { status: 400 });
};
