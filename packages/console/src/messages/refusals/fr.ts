import type { RefusalMessages } from './en.ts';

export const fr: RefusalMessages = {
  intro:
    "Collez l'URL d'une demande d'autorisation (ou sa query), un jeton d'accès, de rafraîchissement, d'identité ou de déconnexion, une assertion de client, un objet de requête ou un code d'autorisation. Le texte collé n'est ni enregistré, ni journalisé, ni mis dans une URL.",
  field: 'URL ou jeton',
  check: 'Vérifier',
  again: 'Vérifier autre chose',
  refused: 'Refusée par la vérification « {check} »',
  accepted: 'Toutes les vérifications réussissent.',
  undecided: "Aucune vérification n'échoue. Certaines ne peuvent pas être décidées ici.",
  caption: "Les vérifications, dans l'ordre du serveur",
  toDo: 'Que faire',
  answer: 'Réponse du serveur',
  toClient: "Elle a été envoyée à l'URI de redirection du client.",
  toUser: "Les utilisateurs la voient sur une page d'erreur, car il n'y a pas d'URI de redirection sûre.",
  content: 'Contenu',
  kinds: {
    request: "Demande d'autorisation",
    accessToken: "Jeton d'accès",
    refreshToken: 'Jeton de rafraîchissement',
    idToken: "Jeton d'identité",
    logoutToken: 'Jeton de déconnexion',
    clientAssertion: 'Assertion de client',
    code: "Code d'autorisation",
    unknown: 'Texte inconnu',
  },
  columns: { check: 'Vérification', result: 'Résultat', given: 'Reçu', expected: 'Attendu', reference: 'Référence' },
  results: { passed: 'réussie', failed: 'échouée', skipped: 'non atteinte', unknown: 'indécidable ici' },
  checks: {
    kind: {
      name: 'Le texte est une demande ou un jeton',
      remedy: "Collez une URL, une query ou un jeton entier. Un jeton d'un autre serveur est inconnu ici.",
    },
    endpoint: {
      name: "L'URL est le point d'autorisation de cet émetteur",
      remedy:
        'Utilisez authorization_endpoint du document de découverte. Une barre oblique en moins, un autre hôte ou http au lieu de https est un autre point.',
    },
    flow: {
      name: "L'URL commence un flux",
      remedy: "Cette URL continue le flux d'un autre navigateur et sert une fois. Recommencez chez le client.",
    },
    limits: {
      name: 'Tailles et caractères des paramètres',
      remedy:
        "Raccourcissez le paramètre, envoyez la demande par POST, ou par PAR. Aucun caractère de contrôle n'est permis.",
    },
    clientId: {
      name: 'client_id est donné une fois',
      remedy: "Envoyez client_id une fois, aussi à côté de l'objet de requête.",
    },
    client: {
      name: 'Le client est enregistré',
      remedy: "Comparez client_id avec la liste des clients. Un client supprimé ou d'un autre émetteur est inconnu.",
    },
    redirectUri: {
      name: 'redirect_uri est enregistrée',
      remedy:
        'Enregistrez exactement cette redirect_uri : schéma, hôte, port, chemin, barre oblique et casse sont comparés comme du texte.',
    },
    once: {
      name: "Aucun paramètre n'est répété",
      remedy: 'Envoyez chaque paramètre une fois. Seul resource peut être répété.',
    },
    requestSource: {
      name: 'Seulement request ou request_uri',
      remedy: "Envoyez l'objet de requête par valeur ou par référence, pas les deux.",
    },
    requestObject: {
      name: "L'objet de requête est accepté",
      remedy:
        'Signez-le avec une clé et un algorithme enregistrés du client ; vérifiez iss, aud, exp et nbf. Enregistrez une request_uri, ou utilisez PAR.',
    },
    pushed: {
      name: 'La demande poussée (PAR)',
      remedy:
        "Ses paramètres ont été vérifiés à l'envoi. request_uri sert une fois, pour son client, et expire bientôt. Elle n'est pas ouverte ici, car cela l'userait.",
    },
    pushedOnly: {
      name: 'Le client peut demander sans PAR',
      remedy: 'Envoyez la demande à /oauth2/par, ou désactivez require_pushed_authorization_requests du client.',
    },
    signedOnly: {
      name: 'Le client peut envoyer des demandes non signées',
      remedy: 'Envoyez un objet de requête signé, ou désactivez require_signed_request_object du client.',
    },
    responseTypeOffered: {
      name: 'Le serveur active response_type',
      remedy:
        'Le serveur n’active pas ce type de réponse : configurez features.implicit.enabled ou features.hybrid.enabled, ou envoyez response_type=code.',
    },
    responseType: {
      name: 'response_type est enregistré',
      remedy: 'Envoyez response_type=code, ou enregistrez ce type de réponse.',
    },
    responseMode: {
      name: 'response_mode est permis',
      remedy: 'Omettez response_mode, ou utilisez form_post ou fragment pour les réponses avec des jetons.',
    },
    registration: {
      name: "La demande n'enregistre pas de client",
      remedy: 'Enregistrez le client avant sa première demande, et omettez registration.',
    },
    replay: {
      name: 'nonce ou state est donné',
      remedy:
        "Envoyez un nouveau nonce aléatoire avec chaque demande d'un jeton d'identité au point d'autorisation ; FAPI 1.0 exige state sans openid.",
    },
    prompt: {
      name: 'prompt est connu',
      remedy: 'Utilisez login, consent, select_account, create ou none. none doit être seul.',
    },
    scopeSyntax: {
      name: 'scope est écrit selon la RFC 6749',
      remedy: 'Séparez les scopes par une espace. Guillemets, barres inverses et autres caractères sont interdits.',
    },
    openid: {
      name: 'Le scope openid est demandé là où il le faut',
      remedy: 'Ajoutez openid, ou omettez les paramètres que seul OpenID Connect définit.',
    },
    pkce: {
      name: 'Le défi PKCE',
      remedy: 'Envoyez code_challenge (43 à 128 caractères) avec code_challenge_method=S256. plain est refusé.',
    },
    claims: {
      name: 'Le paramètre claims',
      remedy: "claims est un objet JSON avec id_token ou userinfo. userinfo exige un jeton d'accès.",
    },
    details: {
      name: 'Les authorization_details',
      remedy: 'authorization_details est une liste JSON. Chaque type doit être configuré et enregistré pour le client.',
    },
    resource: {
      name: 'La ressource est enregistrée',
      remedy: "resource est une URI absolue sans fragment, configurée sous resources et dans l'audience du client.",
    },
    hint: {
      name: "id_token_hint est un jeton d'identité de ce client",
      remedy: "Envoyez un jeton d'identité émis pour ce client, ou omettez l'indice.",
    },
    scope: {
      name: 'Le client est enregistré pour les scopes',
      remedy: 'Ajoutez le scope au client, ou ne le demandez pas.',
    },
    audience: {
      name: "Le client est enregistré pour l'audience",
      remedy: "Ajoutez l'audience au client, ou ne la demandez pas.",
    },
    maxAge: { name: 'max_age est un nombre de secondes', remedy: 'Envoyez max_age en chiffres seulement, 0 ou plus.' },
    other: {
      name: 'Une autre vérification du serveur',
      remedy: "L'erreur du serveur nomme le problème. La liste des erreurs dans la documentation explique chaque code.",
    },
    format: {
      name: 'Le format du jeton',
      remedy:
        'Le jeton a été coupé, modifié, ou émis par un autre serveur. Comparez les premiers et derniers caractères.',
    },
    algorithm: {
      name: 'Le jeton est signé avec un algorithme accepté',
      remedy: "none et HMAC sont refusés. Utilisez l'algorithme enregistré.",
    },
    keySource: {
      name: 'Les clés du client sont connues (jwks ou jwks_uri)',
      remedy:
        'Enregistrez les clés comme jwks, ou faites répondre jwks_uri avec un JWKS : en https, à une adresse publique ou un hôte de outbound.allow. Si le résultat reste ouvert, cette console ne récupère pas de clés : utilisez celle de carnet serve ou de carnet console.',
    },
    key: {
      name: 'La clé (kid) est publiée',
      remedy: "La clé a été retirée après une rotation, ou est celle d'un autre émetteur. Obtenez un nouveau jeton.",
    },
    signature: { name: 'La signature', remedy: 'Le jeton a été modifié, ou signé avec une autre clé.' },
    issuer: {
      name: "L'émetteur (iss)",
      remedy: "iss est exactement l'URL d'émetteur de ce serveur, ou pour une assertion son client_id.",
    },
    times: {
      name: 'Les dates (exp, nbf, iat)',
      remedy:
        "Le jeton a expiré, n'est pas encore valide, ou ne nomme pas de date. Comparez les horloges et obtenez-en un nouveau.",
    },
    tokenAudience: {
      name: "L'audience (aud)",
      remedy: 'Le jeton est pour un autre destinataire. Enregistrez le client, ou utilisez le jeton là où il va.',
    },
    typeRules: {
      name: 'Les claims de ce type de jeton',
      remedy:
        "Un jeton de déconnexion a l'événement et pas de nonce ; un jeton d'identité a sub. Un jeton d'un type est refusé comme un autre.",
    },
    tokenClient: {
      name: 'Le client du jeton est enregistré',
      remedy: "Un client supprimé n'a pas de jetons. Enregistrez-le de nouveau et obtenez de nouveaux jetons.",
    },
    active: {
      name: 'Le jeton est actif',
      remedy:
        'Il a été révoqué avec son autorisation, déjà utilisé (rafraîchissement), a expiré, ou son client a été réenregistré. Les événements du client le montrent.',
    },
    codeUse: {
      name: 'Le code est échangé une fois, à temps, par son client',
      remedy:
        "Un code sert une fois, expire bientôt, et est lié au client, à l'URI de redirection et au vérificateur PKCE. Les événements token.refused nomment la raison.",
    },
    method: {
      name: 'Le client est enregistré pour private_key_jwt',
      remedy: 'Mettez token_endpoint_auth_method à private_key_jwt, ou authentifiez comme enregistré.',
    },
    assertionId: {
      name: "L'assertion a un id (jti)",
      remedy: 'Envoyez un nouveau jti aléatoire avec chaque assertion.',
    },
    assertionUse: {
      name: "L'assertion n'a pas encore servi",
      remedy: 'Chaque assertion est acceptée une fois. Signez-en une nouvelle pour chaque demande.',
    },
  },
};
