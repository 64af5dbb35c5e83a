/** Match the names of columns in several languages. */
export const COLUMNS = {
  text: /^(?:text|content|message|body|msg|nachricht|inhalt|mensaje|texto|mensagem|contenu|messaggio|内容|內容|消息|訊息|文本|メッセージ|сообщение)$/i,
  speaker:
    /^(?:from|sender|author|speaker|name|username|user|who|role|absender|von|autor|remitente|auteur|expéditeur|mittente|发送者|發送者|发言人|说话人|作者|角色|送信者|отправитель)$/i,
  time: /^(?:time|timestamp|date|datetime|date ?time|created_?at|create_?time|sent_?at|datum|zeit|uhrzeit|fecha|data|heure|时间|時間|日期|日時|дата)$/i,
  id: /^(?:id|message_?id)$/i,
  attached: /^(?:attachments?|files?|anhänge?|附件)$/i,
} as const

/** Reports whether a line is the head of a table with a column of messages, and a column of times or speakers. */
export function isCsvHead(line: string): boolean {
  const names = line
    .replace(/^\uFEFF/, '')
    .split(/[,;\t]/)
    .map((name) => name.trim().replace(/^"|"$/g, ''))
  const has = (column: RegExp): boolean => names.some((name) => column.test(name))
  return names.length > 1 && has(COLUMNS.text) && (has(COLUMNS.speaker) || has(COLUMNS.time))
}
