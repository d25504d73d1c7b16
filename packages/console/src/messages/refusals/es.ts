import type { RefusalMessages } from './en.ts';

export const es: RefusalMessages = {
  intro:
    'Pegue la URL de una petición de autorización (o su query), un token de acceso, de refresco, de identidad o de cierre, una aserción de cliente, un objeto de petición o un código de autorización. El texto pegado no se guarda, no se registra y no se pone en ninguna URL.',
  field: 'URL o token',
  check: 'Comprobar',
  again: 'Comprobar otra cosa',
  refused: 'Rechazada por la comprobación «{check}»',
  accepted: 'Todas las comprobaciones pasan.',
  undecided: 'Ninguna comprobación falla. Algunas no se pueden decidir aquí.',
  caption: 'Las comprobaciones, en el orden del servidor',
  toDo: 'Qué hacer',
  answer: 'Respuesta del servidor',
  toClient: 'Se envió a la URI de redirección del cliente.',
  toUser: 'Los usuarios la ven en una página de error, porque no hay una URI de redirección segura.',
  content: 'Contenido',
  kinds: {
    request: 'Petición de autorización',
    accessToken: 'Token de acceso',
    refreshToken: 'Token de refresco',
    idToken: 'Token de identidad',
    logoutToken: 'Token de cierre',
    clientAssertion: 'Aserción de cliente',
    code: 'Código de autorización',
    unknown: 'Texto desconocido',
  },
  columns: {
    check: 'Comprobación',
    result: 'Resultado',
    given: 'Recibido',
    expected: 'Esperado',
    reference: 'Referencia',
  },
  results: { passed: 'pasa', failed: 'falla', skipped: 'no alcanzada', unknown: 'no se puede decidir aquí' },
  checks: {
    kind: {
      name: 'El texto es una petición o un token',
      remedy: 'Pegue una URL, query o token entero. Un token de otro servidor es desconocido aquí.',
    },
    endpoint: {
      name: 'La URL es el punto de autorización de este emisor',
      remedy:
        'Use authorization_endpoint del documento de descubrimiento. Una barra menos, otro host o http en lugar de https es otro punto.',
    },
    flow: {
      name: 'La URL empieza un flujo',
      remedy: 'Esta URL continúa el flujo de otro navegador y se usa una vez. Empiece de nuevo en el cliente.',
    },
    limits: {
      name: 'Tamaños y caracteres de los parámetros',
      remedy: 'Acorte el parámetro, envíe la petición por POST o por PAR. No se permiten caracteres de control.',
    },
    clientId: {
      name: 'client_id se da una vez',
      remedy: 'Envíe client_id una vez, también junto al objeto de petición.',
    },
    client: {
      name: 'El cliente está registrado',
      remedy: 'Compare client_id con la lista de clientes. Un cliente eliminado o de otro emisor es desconocido.',
    },
    redirectUri: {
      name: 'redirect_uri está registrada',
      remedy:
        'Registre exactamente esta redirect_uri: esquema, host, puerto, ruta, barra y mayúsculas se comparan como texto.',
    },
    once: {
      name: 'Ningún parámetro se repite',
      remedy: 'Envíe cada parámetro una vez. Solo resource se puede repetir.',
    },
    requestSource: {
      name: 'Solo request o request_uri',
      remedy: 'Envíe el objeto de petición por valor o por referencia, no ambos.',
    },
    requestObject: {
      name: 'El objeto de petición se acepta',
      remedy:
        'Fírmelo con una clave y un algoritmo registrados del cliente; compruebe iss, aud, exp y nbf. Registre una request_uri o use PAR.',
    },
    pushed: {
      name: 'La petición enviada por PAR',
      remedy:
        'Sus parámetros se comprobaron al enviarla. request_uri se usa una vez, por su cliente, y caduca pronto. No se abre aquí, porque se gastaría.',
    },
    pushedOnly: {
      name: 'El cliente puede pedir sin PAR',
      remedy: 'Envíe la petición a /oauth2/par o desactive require_pushed_authorization_requests del cliente.',
    },
    signedOnly: {
      name: 'El cliente puede enviar peticiones sin firma',
      remedy: 'Envíe un objeto de petición firmado o desactive require_signed_request_object del cliente.',
    },
    responseTypeOffered: {
      name: 'El servidor tiene activado response_type',
      remedy:
        'El servidor no tiene activado este tipo de respuesta: configure features.implicit.enabled o features.hybrid.enabled, o envíe response_type=code.',
    },
    responseType: {
      name: 'response_type está registrado',
      remedy: 'Envíe response_type=code o registre el tipo de respuesta.',
    },
    responseMode: {
      name: 'response_mode está permitido',
      remedy: 'Omita response_mode, o use form_post o fragment para respuestas con tokens.',
    },
    registration: {
      name: 'La petición no registra un cliente',
      remedy: 'Registre el cliente antes de su primera petición y omita registration.',
    },
    replay: {
      name: 'nonce o state está presente',
      remedy:
        'Envíe un nonce aleatorio nuevo con cada petición de un token de identidad al punto de autorización; FAPI 1.0 necesita state sin openid.',
    },
    prompt: {
      name: 'prompt es conocido',
      remedy: 'Use login, consent, select_account, create o none. none debe ir solo.',
    },
    scopeSyntax: {
      name: 'scope está escrito según RFC 6749',
      remedy: 'Separe los scopes con un espacio. No se permiten comillas, barras invertidas ni otros caracteres.',
    },
    openid: {
      name: 'El scope openid se pide donde hace falta',
      remedy: 'Añada openid u omita los parámetros que solo define OpenID Connect.',
    },
    pkce: {
      name: 'El desafío PKCE',
      remedy: 'Envíe code_challenge (de 43 a 128 caracteres) con code_challenge_method=S256. plain se rechaza.',
    },
    claims: {
      name: 'El parámetro claims',
      remedy: 'claims es un objeto JSON con id_token o userinfo. userinfo necesita un token de acceso.',
    },
    details: {
      name: 'Los authorization_details',
      remedy: 'authorization_details es una lista JSON. Cada tipo debe estar configurado y registrado para el cliente.',
    },
    resource: {
      name: 'El recurso está registrado',
      remedy: 'resource es una URI absoluta sin fragmento, configurada en resources y en la audiencia del cliente.',
    },
    hint: {
      name: 'id_token_hint es un token de identidad de este cliente',
      remedy: 'Envíe un token de identidad emitido para este cliente u omita la pista.',
    },
    scope: { name: 'El cliente está registrado para los scopes', remedy: 'Añada el scope al cliente o no lo pida.' },
    audience: {
      name: 'El cliente está registrado para la audiencia',
      remedy: 'Añada la audiencia al cliente o no la pida.',
    },
    maxAge: { name: 'max_age es un número de segundos', remedy: 'Envíe max_age solo en cifras, 0 o mayor.' },
    other: {
      name: 'Otra comprobación del servidor',
      remedy: 'El error del servidor nombra el problema. La lista de errores de la documentación explica cada código.',
    },
    format: {
      name: 'El formato del token',
      remedy: 'El token se cortó, se cambió o lo emitió otro servidor. Compare los primeros y los últimos caracteres.',
    },
    algorithm: {
      name: 'El token está firmado con un algoritmo aceptado',
      remedy: 'none y HMAC se rechazan. Use el algoritmo registrado.',
    },
    keySource: {
      name: 'Se conocen las claves del cliente (jwks o jwks_uri)',
      remedy:
        'Registre las claves como jwks, o haga que jwks_uri responda con un JWKS: por https, en una dirección pública o un host de outbound.allow. Si el resultado queda abierto, esta consola no obtiene claves: use la de carnet serve o carnet console.',
    },
    key: {
      name: 'La clave (kid) está publicada',
      remedy: 'La clave se retiró tras una rotación o es de otro emisor. Obtenga un token nuevo.',
    },
    signature: { name: 'La firma', remedy: 'El token se cambió o se firmó con otra clave.' },
    issuer: {
      name: 'El emisor (iss)',
      remedy: 'iss es exactamente la URL de emisor de este servidor o, en una aserción, su client_id.',
    },
    times: {
      name: 'Los tiempos (exp, nbf, iat)',
      remedy:
        'El token ha caducado, aún no es válido o no nombra ningún tiempo. Compare los relojes y obtenga uno nuevo.',
    },
    tokenAudience: {
      name: 'La audiencia (aud)',
      remedy: 'El token es para otro receptor. Registre el cliente o use el token donde corresponde.',
    },
    typeRules: {
      name: 'Los claims de este tipo de token',
      remedy:
        'Un token de cierre tiene el evento y no tiene nonce; un token de identidad tiene sub. Un token de un tipo se rechaza como otro.',
    },
    tokenClient: {
      name: 'El cliente del token está registrado',
      remedy: 'Un cliente eliminado no tiene tokens. Regístrelo de nuevo y obtenga tokens nuevos.',
    },
    active: {
      name: 'El token está activo',
      remedy:
        'Se revocó con su concesión, ya se usó (refresco), caducó o su cliente se registró de nuevo. Los eventos del cliente lo muestran.',
    },
    codeUse: {
      name: 'El código se canjea una vez, a tiempo y por su cliente',
      remedy:
        'Un código se usa una vez, caduca pronto y está ligado al cliente, a la URI de redirección y al verificador PKCE. Los eventos token.refused nombran el motivo.',
    },
    method: {
      name: 'El cliente está registrado para private_key_jwt',
      remedy: 'Ponga token_endpoint_auth_method en private_key_jwt o autentique como está registrado.',
    },
    assertionId: { name: 'La aserción tiene un id (jti)', remedy: 'Envíe un jti aleatorio nuevo con cada aserción.' },
    assertionUse: {
      name: 'La aserción no se ha usado antes',
      remedy: 'Cada aserción se acepta una vez. Firme una nueva para cada petición.',
    },
  },
};
