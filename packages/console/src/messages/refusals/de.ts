import type { RefusalMessages } from './en.ts';

export const de: RefusalMessages = {
  intro:
    'Fügen Sie die URL einer Autorisierungsanfrage (oder deren Query), ein Access-Token, Refresh-Token, ID-Token, Logout-Token, eine Client-Assertion, ein Request-Objekt oder einen Autorisierungscode ein. Der eingefügte Text wird nicht gespeichert, nicht geloggt und in keine URL geschrieben.',
  field: 'URL oder Token',
  check: 'Prüfen',
  again: 'Etwas anderes prüfen',
  refused: 'Abgelehnt durch die Prüfung „{check}“',
  accepted: 'Jede Prüfung ist bestanden.',
  undecided: 'Keine Prüfung schlägt fehl. Einige lassen sich hier nicht entscheiden.',
  caption: 'Die Prüfungen in der Reihenfolge des Servers',
  toDo: 'Was zu tun ist',
  answer: 'Antwort des Servers',
  toClient: 'Sie wurde an die Redirect-URI des Clients gesendet.',
  toUser: 'Benutzer sehen sie auf einer Fehlerseite, weil es keine sichere Redirect-URI gibt.',
  content: 'Inhalt',
  kinds: {
    request: 'Autorisierungsanfrage',
    accessToken: 'Access-Token',
    refreshToken: 'Refresh-Token',
    idToken: 'ID-Token',
    logoutToken: 'Logout-Token',
    clientAssertion: 'Client-Assertion',
    code: 'Autorisierungscode',
    unknown: 'Unbekannter Text',
  },
  columns: { check: 'Prüfung', result: 'Ergebnis', given: 'Angegeben', expected: 'Erwartet', reference: 'Quelle' },
  results: {
    passed: 'bestanden',
    failed: 'fehlgeschlagen',
    skipped: 'nicht erreicht',
    unknown: 'hier nicht entscheidbar',
  },
  checks: {
    kind: {
      name: 'Der Text ist eine Anfrage oder ein Token',
      remedy:
        'Fügen Sie eine ganze URL, Query oder ein ganzes Token ein. Ein Token eines anderen Servers ist hier unbekannt.',
    },
    endpoint: {
      name: 'Die URL ist der Autorisierungsendpunkt dieses Issuers',
      remedy:
        'Verwenden Sie authorization_endpoint aus dem Discovery-Dokument. Ein fehlender Schrägstrich, ein anderer Host oder http statt https ist ein anderer Endpunkt.',
    },
    flow: {
      name: 'Die URL beginnt einen Ablauf',
      remedy:
        'Diese URL setzt den Ablauf eines anderen Browsers fort und gilt einmal. Beginnen Sie beim Client von vorn.',
    },
    limits: {
      name: 'Größen und Zeichen der Parameter',
      remedy:
        'Kürzen Sie den Parameter, senden Sie die Anfrage mit POST, oder mit PAR. Steuerzeichen sind nicht erlaubt.',
    },
    clientId: {
      name: 'client_id ist einmal angegeben',
      remedy: 'Senden Sie client_id einmal, auch neben dem Request-Objekt.',
    },
    client: {
      name: 'Der Client ist registriert',
      remedy:
        'Vergleichen Sie client_id mit der Liste der Clients. Ein gelöschter Client oder der eines anderen Issuers ist unbekannt.',
    },
    redirectUri: {
      name: 'redirect_uri ist registriert',
      remedy:
        'Registrieren Sie genau diese redirect_uri: Schema, Host, Port, Pfad, Schrägstrich und Groß- und Kleinschreibung werden als Text verglichen.',
    },
    once: {
      name: 'Kein Parameter ist wiederholt',
      remedy: 'Senden Sie jeden Parameter einmal. Nur resource darf wiederholt werden.',
    },
    requestSource: {
      name: 'Nur eines von request und request_uri',
      remedy: 'Senden Sie das Request-Objekt als Wert oder als Verweis, nicht beides.',
    },
    requestObject: {
      name: 'Das Request-Objekt wird angenommen',
      remedy:
        'Signieren Sie es mit einem registrierten Schlüssel und Algorithmus des Clients; prüfen Sie iss, aud, exp und nbf. Registrieren Sie eine request_uri, oder verwenden Sie PAR.',
    },
    pushed: {
      name: 'Die Anfrage über PAR',
      remedy:
        'Ihre Parameter wurden beim Senden geprüft. request_uri gilt einmal, für ihren Client, und läuft bald ab. Sie wird hier nicht geöffnet, weil sie damit verbraucht wäre.',
    },
    pushedOnly: {
      name: 'Der Client darf ohne PAR anfragen',
      remedy:
        'Senden Sie die Anfrage an /oauth2/par, oder schalten Sie require_pushed_authorization_requests des Clients ab.',
    },
    signedOnly: {
      name: 'Der Client darf unsignierte Anfragen senden',
      remedy:
        'Senden Sie ein signiertes Request-Objekt, oder schalten Sie require_signed_request_object des Clients ab.',
    },
    responseTypeOffered: {
      name: 'Der Server hat response_type aktiviert',
      remedy:
        'Der Server hat diesen Response-Type nicht aktiviert: Setzen Sie features.implicit.enabled oder features.hybrid.enabled, oder senden Sie response_type=code.',
    },
    responseType: {
      name: 'response_type ist registriert',
      remedy: 'Senden Sie response_type=code, oder registrieren Sie den Response-Type.',
    },
    responseMode: {
      name: 'response_mode ist erlaubt',
      remedy: 'Lassen Sie response_mode weg, oder verwenden Sie form_post oder fragment für Antworten mit Tokens.',
    },
    registration: {
      name: 'Die Anfrage registriert keinen Client',
      remedy: 'Registrieren Sie den Client vor der ersten Anfrage, und lassen Sie registration weg.',
    },
    replay: {
      name: 'nonce oder state ist angegeben',
      remedy:
        'Senden Sie mit jeder Anfrage nach einem ID-Token am Autorisierungsendpunkt eine neue zufällige nonce; FAPI 1.0 braucht ohne openid state.',
    },
    prompt: {
      name: 'prompt ist bekannt',
      remedy: 'Verwenden Sie login, consent, select_account, create oder none. none steht allein.',
    },
    scopeSyntax: {
      name: 'scope ist geschrieben wie in RFC 6749',
      remedy:
        'Trennen Sie Scopes durch ein Leerzeichen. Anführungszeichen, Backslashes und andere Zeichen sind nicht erlaubt.',
    },
    openid: {
      name: 'Der Scope openid ist angefragt, wo er nötig ist',
      remedy: 'Fügen Sie openid hinzu, oder lassen Sie die Parameter weg, die nur OpenID Connect kennt.',
    },
    pkce: {
      name: 'Die PKCE-Challenge',
      remedy: 'Senden Sie code_challenge (43 bis 128 Zeichen) mit code_challenge_method=S256. plain wird abgelehnt.',
    },
    claims: {
      name: 'Der Parameter claims',
      remedy: 'claims ist ein JSON-Objekt mit id_token oder userinfo. userinfo braucht ein Access-Token.',
    },
    details: {
      name: 'Die authorization_details',
      remedy:
        'authorization_details ist eine JSON-Liste. Jeder Typ muss konfiguriert und für den Client registriert sein.',
    },
    resource: {
      name: 'Die Ressource ist registriert',
      remedy:
        'resource ist eine absolute URI ohne Fragment, konfiguriert unter resources und in der Audience des Clients.',
    },
    hint: {
      name: 'id_token_hint ist ein ID-Token dieses Clients',
      remedy:
        'Senden Sie ein ID-Token, das dieser Issuer diesem Client ausgestellt hat, oder lassen Sie den Hinweis weg.',
    },
    scope: {
      name: 'Der Client ist für die Scopes registriert',
      remedy: 'Fügen Sie dem Client den Scope hinzu, oder fragen Sie ihn nicht an.',
    },
    audience: {
      name: 'Der Client ist für die Audience registriert',
      remedy: 'Fügen Sie dem Client die Audience hinzu, oder fragen Sie sie nicht an.',
    },
    maxAge: { name: 'max_age ist eine Zahl von Sekunden', remedy: 'Senden Sie max_age nur in Ziffern, 0 oder größer.' },
    other: {
      name: 'Eine andere Prüfung des Servers',
      remedy: 'Der Fehler des Servers nennt das Problem. Die Liste der Fehler in der Dokumentation erklärt jeden Code.',
    },
    format: {
      name: 'Das Format des Tokens',
      remedy:
        'Das Token wurde abgeschnitten, verändert oder von einem anderen Server ausgestellt. Vergleichen Sie die ersten und letzten Zeichen.',
    },
    algorithm: {
      name: 'Das Token ist mit einem angenommenen Algorithmus signiert',
      remedy: 'none und HMAC werden abgelehnt. Verwenden Sie den registrierten Algorithmus.',
    },
    keySource: {
      name: 'Die Schlüssel des Clients sind bekannt (jwks oder jwks_uri)',
      remedy:
        'Registrieren Sie die Schlüssel als jwks, oder lassen Sie jwks_uri mit einem JWKS antworten: über https, an einer öffentlichen Adresse oder einem Host aus outbound.allow. Ist das Ergebnis offen, holt diese Konsole keine Schlüssel: Nehmen Sie die von carnet serve oder carnet console.',
    },
    key: {
      name: 'Der Schlüssel (kid) ist veröffentlicht',
      remedy:
        'Der Schlüssel wurde nach einer Rotation entfernt oder gehört einem anderen Issuer. Holen Sie ein neues Token.',
    },
    signature: { name: 'Die Signatur', remedy: 'Das Token wurde verändert oder mit einem anderen Schlüssel signiert.' },
    issuer: {
      name: 'Der Issuer (iss)',
      remedy: 'iss ist genau die Issuer-URL dieses Servers, oder bei einer Client-Assertion deren client_id.',
    },
    times: {
      name: 'Die Zeiten (exp, nbf, iat)',
      remedy:
        'Das Token ist abgelaufen, noch nicht gültig, oder nennt keine Zeit. Vergleichen Sie die Uhren, und holen Sie ein neues.',
    },
    tokenAudience: {
      name: 'Die Audience (aud)',
      remedy:
        'Das Token ist für einen anderen Empfänger. Registrieren Sie den Client, oder verwenden Sie das Token dort, wohin es gehört.',
    },
    typeRules: {
      name: 'Die Claims dieser Art von Token',
      remedy:
        'Ein Logout-Token hat das Ereignis und keine nonce; ein ID-Token hat sub. Ein Token einer Art wird als andere abgelehnt.',
    },
    tokenClient: {
      name: 'Der Client des Tokens ist registriert',
      remedy: 'Ein gelöschter Client hat keine Tokens. Registrieren Sie ihn wieder, und holen Sie neue Tokens.',
    },
    active: {
      name: 'Das Token ist aktiv',
      remedy:
        'Es wurde mit seinem Grant widerrufen, schon verwendet (Refresh-Token), ist abgelaufen, oder der Client wurde neu registriert. Die Ereignisse des Clients zeigen es.',
    },
    codeUse: {
      name: 'Der Code wird einmal, rechtzeitig und von seinem Client eingelöst',
      remedy:
        'Ein Code gilt einmal, läuft bald ab, und ist an Client, Redirect-URI und PKCE-Verifier gebunden. Die Ereignisse des Typs token.refused nennen den Grund.',
    },
    method: {
      name: 'Der Client ist für private_key_jwt registriert',
      remedy: 'Setzen Sie token_endpoint_auth_method auf private_key_jwt, oder authentifizieren Sie wie registriert.',
    },
    assertionId: {
      name: 'Die Assertion hat eine Id (jti)',
      remedy: 'Senden Sie mit jeder Assertion eine neue zufällige jti.',
    },
    assertionUse: {
      name: 'Die Assertion wurde noch nicht verwendet',
      remedy: 'Jede Assertion gilt einmal. Signieren Sie für jede Anfrage eine neue.',
    },
  },
};
