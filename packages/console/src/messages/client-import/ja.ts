import type { ClientImportMessages } from './en.ts';

export const ja: ClientImportMessages = {
  title: 'クライアントをインポート',
  about:
    'クライアントを JSON でアップロードします。1 件、リスト、または 1 行に 1 件の形式です。Hydra やほかのサーバーのエクスポートも、シークレットの代わりにハッシュがあるものを含めて使えます。',
  file: 'ファイル',
  fileHint: '最大 {size}、{clients} 件です。',
  lenient: 'サーバーが拒否する項目を除外する',
  lenientHint: '選択しない場合、クライアント全体が拒否されます。除外した項目は結果に表示されます。',
  check: 'ファイルを確認',
  checking: 'ファイルの確認',
  checkHint:
    'この確認では、誤った値とすでに存在する ID が見つかります。サーバーは登録時にさらにほかの規則も適用します。',
  submit: 'インポートを開始',
  importing: 'クライアントのインポート',
  stay: '結果が表示されるまで、このページを開いたままにしてください。ページを離れるとインポートは停止します。それまでに登録されたクライアントは残り、同じファイルを再びインポートすると残りから続きます。',
  stop: '停止',
  progress: '進行状況',
  step: '{all} 件中 {done} 件',
  result: '結果',
  outcomes: {
    ready: 'インポート可能',
    created: '作成済み',
    existing: 'すでに存在（変更なし）',
    refused: '拒否',
    skipped: '未処理',
  },
  secret: 'クライアントシークレット: {secret}',
  repeated: 'ファイル内の前の位置に、同じ ID のクライアントがあります。',
  noId: 'client_id がないため、インポートするたびに新しい ID が付きます。',
  again: '別のファイル',
  problems: {
    notJson: 'ファイルは有効な JSON ではありません。',
    notJsonLine: 'ファイルの {line} 行目は有効な JSON ではありません。',
    notObjects: 'ファイルの各クライアントは JSON オブジェクトでなければなりません。',
    empty: 'ファイルにクライアントがありません。',
    tooMany:
      'ファイルには {count} 件のクライアントがあります。一度にインポートできるのは {most} 件までです。ファイルを分割してください。',
    running: '別のインポートが実行中です。結果を待つか、停止してください。',
  },
};
