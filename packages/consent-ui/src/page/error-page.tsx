import { Notice } from './notice.tsx';
import { respond } from './respond.ts';

/** The texts for error codes (RFC 6749, section 4.1.2.1; OpenID Connect Core, section 3.1.2.6). */
const texts: Readonly<Record<string, string>> = {
  access_denied: 'Access was denied.',
  invalid_request: 'The application sent a request that is not valid.',
  invalid_client: 'This service does not know the application.',
  invalid_scope: 'The application requested access that it is not allowed to request.',
  invalid_redirect_uri: 'The application requested a redirect to an address that it has not registered.',
  unauthorized_client: 'This application is not allowed to use this sign-in method.',
  unsupported_response_type: 'This application is not allowed to use this sign-in method.',
  login_required: 'You need to sign in first.',
  consent_required: 'You need to allow the access first.',
  // Ory Hydra also redirects browsers here with these errors; Carnet shows its own page.
  request_forbidden: 'This sign-in began in another browser, or its cookies were blocked.',
  temporarily_unavailable: 'The service is busy. Try again in a moment.',
  server_error: 'The service had an internal error.',
};

/** A text of the URL, limited to the characters that RFC 6749 allows and to a length. */
const plain = (text: string | null, maximumLength: number): string =>
  (text ?? '')
    .replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')
    .slice(0, maximumLength)
    .trim();

/** GET /error: the provider redirects browsers here if it must not redirect them to the client. */
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
      {/* Any site can link to this URL: its text is shown as a report, never as a message of this UI. */}
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
