import type { ConfigurationMessages } from './en.ts';

export const ja: ConfigurationMessages = {
  title: '設定',
  about:
    'このプロセスが使う値と、それぞれの出所です。シークレットは置き換えられています。プロセスは起動時に設定を読み込みます。',
  search: 'キー、値、または説明',
  only: '表示',
  all: 'すべてのキー',
  set: '設定されたキー',
  columns: { key: 'キー', value: '値', source: '出所', description: '説明' },
  sources: { default: '既定値', file: 'ファイル', 'development mode': '開発モード' },
  notHere:
    '設定は「carnet serve」のコンソールでのみ表示されます。サーバーのそばで「carnet config print」を実行してください。',
  unset: '未設定',
  warnings: '警告と問題',
  noWarnings: 'ありません。',
  examine: {
    title: '変更に必要なこと',
    about: '設定全体、または「ttl.accessToken: 1h」のような行を貼り付けてください。何も変更されません。',
    text: '設定（YAML または JSON）',
    scope: 'テキストの範囲',
    scopes: { keys: '現在のファイルへの追加', whole: 'ファイル全体' },
    submit: '調べる',
    problems: '問題',
    noProblems: 'この設定は受け入れられます。',
    changes: '変更',
    noChanges: '変わる値はありません。',
    before: '現在の値',
    after: '新しい値',
    needs: '必要なこと',
    restart: 'すべてのプロセスを 1 つずつ再起動',
  },
  concerns: {
    issuer:
      'すべてのプロセスの同時再起動と、すべてのクライアントの変更。クライアントは発行者を比較し、現在の発行者のトークンは受け入れられなくなります',
    secrets:
      'すべてのプロセスの再起動。新しいシークレットを現在のものの前に置き、現在のものも残してください。暗号化済みのデータを開くために必要です',
    store: 'すべてのプロセスの同時再起動。データは移動しません。先にコピーしてください',
    keys: 'すべてのプロセスの再起動。新しい鍵は署名の前に公開してください。鍵のページを参照',
    subjects:
      'すべてのプロセスの再起動。ユーザーのサブジェクトが変わり、クライアントがユーザーを見つけられなくなることがあります',
    listener: 'すべてのプロセスの再起動と、前段のプロキシの変更',
  },
};
