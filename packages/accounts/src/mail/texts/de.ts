import type { MailTexts } from './mail-texts.ts';

export const de: MailTexts = {
  direction: 'ltr',
  confirmAddress: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse für {product}',
    introduction: 'Bestätigen Sie diese E-Mail-Adresse, um Ihr Konto bei {product} anzulegen.',
    action: 'E-Mail-Adresse bestätigen',
    note: 'Der Link gilt {duration} und kann einmal benutzt werden. Falls Sie sich nicht registriert haben, ignorieren Sie diese E-Mail: Es wird kein Konto angelegt.',
  },
  resetPassword: {
    subject: 'Neues Passwort für {product} festlegen',
    introduction: 'Sie haben ein neues Passwort für das Konto {name} bei {product} angefordert.',
    action: 'Neues Passwort festlegen',
    note: 'Der Link gilt {duration} und kann einmal benutzt werden. Falls Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort ändert sich nicht.',
  },
  invitation: {
    subject: 'Ihr Konto bei {product}',
    introduction:
      'Bei {product} wurde ein Konto für Sie angelegt: {name}. Wählen Sie ein Passwort, um sich anzumelden.',
    action: 'Passwort wählen',
    note: 'Der Link gilt {duration} und kann einmal benutzt werden. Falls Sie {product} nicht kennen, ignorieren Sie diese E-Mail.',
  },
  signInCode: {
    subject: 'Ihr Code für {product}',
    introduction: 'Geben Sie diesen Code ein, um sich bei {product} als {name} anzumelden:',
    note: 'Der Code gilt {duration} und kann einmal verwendet werden. Geben Sie ihn nicht weiter. Wenn Sie sich gerade nicht anmelden, kennt jemand anderes Ihr Passwort: Ändern Sie es jetzt.',
  },
  emailSignInCode: {
    subject: 'Ihr Code für {product}',
    introduction: 'Geben Sie diesen Code ein, um sich bei {product} als {name} anzumelden:',
    note: 'Der Code gilt {duration} und kann einmal verwendet werden, in dem Browser, in dem Sie ihn angefordert haben. Geben Sie ihn nicht weiter. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Ohne den Code kann sich niemand anmelden.',
  },
  alreadyRegistered: {
    subject: 'Sie haben bereits ein Konto bei {product}',
    introduction:
      'Für diese E-Mail-Adresse wurde eine Registrierung bei {product} angefordert. Sie hat bereits ein Konto.',
    note: 'Wenn Sie das waren, melden Sie sich an oder wählen Sie auf der Anmeldeseite „Passwort vergessen?“. Andernfalls ignorieren Sie diese E-Mail: Es hat sich nichts geändert.',
  },
  confirmNewAddress: {
    subject: 'Bestätigen Sie Ihre neue E-Mail-Adresse für {product}',
    introduction: 'Sie möchten diese E-Mail-Adresse für Ihr Konto bei {product} verwenden.',
    action: 'E-Mail-Adresse bestätigen',
    note: 'Der Link gilt {duration} und kann einmal benutzt werden, in dem Browser, in dem Sie ihn angefordert haben. Falls Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail: Es ändert sich nichts.',
  },
  addressTaken: {
    subject: 'Ihre E-Mail-Adresse hat bereits ein Konto bei {product}',
    introduction:
      'Jemand möchte diese E-Mail-Adresse bei {product} verwenden, sie gehört aber schon zu einem anderen Konto.',
    note: 'Wenn Sie das waren, melden Sie sich mit dieser Adresse an oder wählen Sie eine andere. Andernfalls ignorieren Sie diese E-Mail: Es hat sich nichts geändert.',
  },
  emailChangeRequested: {
    subject: 'Für Ihr Konto bei {product} wurde eine neue E-Mail-Adresse angefordert',
    introduction:
      'Für Ihr Konto {name} bei {product} wurde eine neue E-Mail-Adresse angefordert. Sie ersetzt diese Adresse, sobald sie bestätigt ist.',
    note: 'Falls Sie das nicht waren, ändern Sie jetzt Ihr Passwort: Die neue Adresse kann dann nicht mehr bestätigt werden.',
  },
  emailChanged: {
    subject: 'Die E-Mail-Adresse Ihres Kontos bei {product} wurde geändert',
    introduction:
      'Die E-Mail-Adresse {name} Ihres Kontos bei {product} wurde durch eine andere ersetzt. Ab jetzt melden Sie sich mit der neuen an.',
    note: 'Falls Sie sie nicht geändert haben, wenden Sie sich jetzt an die Administration von {product}.',
  },
  passwordChanged: {
    subject: 'Ihr Passwort für {product} wurde geändert',
    introduction: 'Das Passwort Ihres Kontos {name} bei {product} wurde geändert.',
    note: 'Falls Sie es nicht geändert haben, wählen Sie jetzt auf der Anmeldeseite „Passwort vergessen?“ und legen Sie ein neues fest.',
    noteWithoutRecovery:
      'Falls Sie es nicht geändert haben, wenden Sie sich jetzt an die Administration von {product}.',
  },
  factorAdded: {
    subject: 'Ihrem Konto bei {product} wurde eine Anmeldemethode hinzugefügt',
    introduction: 'Ihrem Konto {name} bei {product} wurde diese Anmeldemethode hinzugefügt: {factor}.',
    note: 'Falls Sie das nicht waren, ändern Sie jetzt Ihr Passwort und entfernen Sie die Anmeldemethode auf Ihrer Kontoseite.',
  },
  factorRemoved: {
    subject: 'Von Ihrem Konto bei {product} wurde eine Anmeldemethode entfernt',
    introduction: 'Von Ihrem Konto {name} bei {product} wurde diese Anmeldemethode entfernt: {factor}.',
    note: 'Falls Sie das nicht waren, ändern Sie jetzt Ihr Passwort und prüfen Sie die Anmeldemethoden auf Ihrer Kontoseite.',
  },
  factorsReset: {
    subject: 'Ihre zweiten Faktoren bei {product} wurden entfernt',
    introduction:
      'Alle zweiten Faktoren und Passkeys Ihres Kontos {name} bei {product} wurden durch die Administration entfernt.',
    note: 'Falls Sie nicht darum gebeten haben, ändern Sie jetzt Ihr Passwort und wenden Sie sich an die Administration von {product}.',
  },
  deletionRequested: {
    subject: 'Ihr Konto bei {product} wird gelöscht',
    introduction:
      'Die Löschung Ihres Kontos {name} bei {product} wurde angefordert. Es wird am {date} mit allen Daten gelöscht. Sie wurden überall abgemeldet.',
    note: 'Um das Konto zu behalten, melden Sie sich vor diesem Tag an. Falls Sie die Löschung nicht angefordert haben, behalten Sie das Konto und ändern Sie Ihr Passwort.',
  },
  factors: {
    totp: 'Authenticator-App',
    hotp: 'Code-Token',
    pin: 'PIN',
    recovery_code: 'neue Wiederherstellungscodes',
    passkey: 'Passkey',
    email: 'Code per E-Mail',
  },
};
