import type { ClientImportMessages } from './en.ts';

export const fr: ClientImportMessages = {
  title: 'Importer des clients',
  about:
    'Envoyez des clients en JSON : un client, une liste, ou un client par ligne. Les exports de Hydra et d’autres serveurs sont acceptés, même avec des empreintes à la place des secrets.',
  file: 'Fichier',
  fileHint: 'Au plus {size} et {clients} clients.',
  lenient: 'Omettre les membres que le serveur refuse',
  lenientHint:
    'Sinon, le client est refusé. Dans les deux cas, client_credentials est omis pour un client qui ne s’authentifie pas. Le résultat nomme chaque membre omis.',
  check: 'Vérifier le fichier',
  checking: 'Vérification du fichier',
  checkHint:
    'La vérification trouve les valeurs incorrectes et les identifiants qui existent déjà. Le serveur a d’autres règles, qu’il applique à l’enregistrement.',
  submit: 'Lancer l’import',
  importing: 'Import de clients',
  stay: 'Gardez cette page ouverte jusqu’au résultat. Si vous la quittez, l’import s’arrête. Les clients déjà enregistrés restent, et un nouvel import du fichier continue avec les autres.',
  stop: 'Arrêter',
  progress: 'Progression',
  step: '{done} sur {all}',
  result: 'Résultat',
  outcomes: {
    ready: 'Peut être importé',
    created: 'Créé',
    existing: 'Existe déjà, non modifié',
    refused: 'Refusé',
    skipped: 'Non essayé',
  },
  secret: 'Secret du client : {secret}',
  newSecrets:
    'Clients sans secret dans le fichier : {count}. L’import génère de nouveaux secrets pour eux, et leurs applications ne fonctionnent plus tant que vous ne les y changez pas. Un second import ne change aucun secret. Pour garder les secrets, arrêtez-vous ici et exportez les empreintes : voir le guide « Coming from Ory Hydra », étape 5. Sinon, copiez chaque nouveau secret du résultat : il n’est affiché qu’une fois.',
  needsSecret: 'Le fichier n’a pas de secret pour lui : l’import en génère un nouveau.',
  secretsOnce: 'Copiez maintenant les secrets ci-dessus : ils ne seront plus affichés.',
  nothing: 'Il n’y a rien à importer.',
  top: 'Haut de page',
  repeated: 'Le fichier contient déjà un client avec cet identifiant avant celui-ci.',
  noId: 'Il n’a pas de client_id : il en reçoit un nouveau à chaque import.',
  again: 'Autre fichier',
  problems: {
    notJson: 'Le fichier n’est pas du JSON valide.',
    notJsonLine: 'La ligne {line} du fichier n’est pas du JSON valide.',
    notObjects: 'Chaque client du fichier doit être un objet JSON.',
    notUtf8: 'Le fichier n’est pas en UTF-8. Enregistrez le fichier en UTF-8.',
    onePage:
      'Le fichier contient une page d’une liste plus longue (is_last_page est false, ou next_page_token a une valeur). Exportez toutes les pages.',
    empty: 'Le fichier ne contient aucun client.',
    tooMany: 'Le fichier contient {count} clients. Au plus {most} sont importés à la fois : divisez le fichier.',
    running: 'Un autre import est en cours. Attendez son résultat, ou arrêtez-le.',
  },
};
