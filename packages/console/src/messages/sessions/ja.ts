import type { SessionMessages } from './en.ts';

export const ja: SessionMessages = {
  subject: 'ユーザーのサブジェクト',
  client: 'クライアント ID',
  hint: 'どちらか一方を入力してください。サブジェクトはユーザーのページでログイン名から見つかります。',
  sessions: 'セッション',
  consents: '同意',
  ofUser: '{subject} のセッション',
  consentsOfUser: '{subject} の同意',
  showSessions: 'セッションを表示する',
  showConsents: '同意を表示する',
  sessionColumns: {
    since: 'サインイン',
    place: 'ブラウザー',
    clients: 'クライアント',
    level: '認証',
    until: '期限',
    change: '変更',
  },
  consentColumns: {
    client: 'クライアント',
    scopes: 'スコープ',
    audience: 'オーディエンス',
    since: '付与',
    remembered: '記憶',
    change: '変更',
  },
  forever: '取り消しまで',
  end: 'セッションを終了する',
  endAll: 'すべてのセッションを終了する',
  endAllWarning:
    'ユーザーのすべてのセッションが終了し、クライアントに通知されます。トークンは有効なままです。ユーザーのページではトークンも失効させられます。',
  revoke: '取り消す',
  revokeAll: 'すべての同意を取り消す',
  revokeAllWarning: 'ユーザーのすべての同意を、それに依存するトークンとともに取り消します。',
  noSessions: '記憶されたセッションはありません。',
  noConsents: '同意はありません。',
  ofClient: 'クライアント {client} のユーザー',
  clientHint:
    'セッションはユーザーごとに保存されます。保存されているイベントによると、これらのユーザーがこのクライアントにサインインしたか、トークンを受け取りました。',
  clientColumns: {
    user: 'ユーザー',
    last: '最後のイベント',
    type: '種類',
    show: '表示',
  },
  noUsers: '検索した期間に、ユーザーを示すこのクライアントのイベントはありません。',
};
