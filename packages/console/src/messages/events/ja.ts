import type { EventMessages } from './en.ts';

export const ja: EventMessages = {
  subject: 'ユーザーのサブジェクト',
  client: 'クライアント ID',
  request: 'リクエスト ID',
  requestHint: 'エラーページの ID、または X-Request-Id ヘッダー。',
  type: '種類',
  typeHint: 'user.created や user.* のような種類',
  since: '開始 (UTC)',
  until: '終了 (UTC)',
  caption: 'イベント (新しい順)',
  columns: {
    time: '日時',
    type: '種類',
    result: '結果',
    user: 'ユーザー',
    client: 'クライアント',
    request: 'リクエスト',
    details: '詳細',
  },
  success: '成功',
  denied: '拒否',
  live: 'ライブで見る',
  past: '過去のイベントを表示する',
  liveTitle: 'ライブイベント',
  liveHint: '新しいイベントは数秒で先頭に表示されます。',
  liveWithout: 'JavaScript がない場合、このページは 10 秒ごとに再読み込みします。',
  connected: '接続しました。',
  lost: '接続が切れました。再試行しています。',
  searched: '検索済みの範囲',
  refusalsHint:
    '拒否されたリクエストのイベントは、各プロセスが種類ごとに毎秒 2 件だけ保存します。ログにはすべてあります。',
};
