import type { ConfigurationMessages } from './en.ts';

export const fr: ConfigurationMessages = {
  title: 'Configuration',
  about:
    'Les valeurs que ce processus utilise, avec leur source. Les secrets sont remplacés. Les processus lisent la configuration au démarrage.',
  search: 'Clé, valeur ou description',
  only: 'Afficher',
  all: 'toutes les clés',
  set: 'les clés définies',
  columns: { key: 'Clé', value: 'Valeur', source: 'Source', description: 'Description' },
  sources: { default: 'valeur par défaut', file: 'fichier', 'development mode': 'mode développement' },
  notHere:
    'Seule la console de « carnet serve » affiche la configuration. Exécutez « carnet config print » à côté du serveur.',
  unset: 'non définie',
  warnings: 'Avertissements et problèmes',
  noWarnings: 'Il n’y en a pas.',
  examine: {
    title: 'De quoi une modification aurait-elle besoin ?',
    about: 'Collez une configuration, ou des lignes comme « ttl.accessToken: 1h ». Rien n’est modifié.',
    text: 'Configuration (YAML ou JSON)',
    scope: 'Le texte est',
    scopes: { keys: 'un ajout au fichier actuel', whole: 'le fichier entier' },
    submit: 'Examiner',
    problems: 'Problèmes',
    noProblems: 'La configuration serait acceptée.',
    changes: 'Modifications',
    noChanges: 'Aucune valeur ne changerait.',
    before: 'Valeur actuelle',
    after: 'Nouvelle valeur',
    needs: 'Nécessite',
    restart: 'un redémarrage de tous les processus, l’un après l’autre',
  },
  concerns: {
    issuer:
      'un redémarrage simultané de tous les processus et une modification de chaque client : ils comparent l’émetteur, et les jetons de l’actuel ne sont plus acceptés',
    secrets:
      'un redémarrage de tous les processus. Placez un nouveau secret avant l’actuel et gardez l’actuel : il ouvre ce qu’il a chiffré',
    store: 'un redémarrage simultané de tous les processus. Les données restent où elles sont : copiez-les d’abord',
    keys: 'un redémarrage de tous les processus. Publiez les nouvelles clés avant qu’elles signent : voir la page des clés',
    subjects:
      'un redémarrage de tous les processus. Les sujets des utilisateurs peuvent changer, et les clients ne trouvent plus leurs utilisateurs',
    listener: 'un redémarrage de tous les processus et une modification du proxy placé devant eux',
  },
};
