import type { Finding } from '../finding.ts'
import { CHINESE_FRAMES } from './frames.ts'

/** Openings before the subject that change nothing in what is stated. Times are kept in the statement. */
const OPENING =
  /^(?:其实|因为|由于|所以|但是|但|不过|可是|而且|并且|另外|还有|对了|嗯+|哦|啊|是的|对|好的|你好|大家好|然后|说实话|老实说|总之|虽然|尽管|毕竟|没错|哈哈+|谢谢|不|没有|那|当然|原来|事实上|顺便|说到这个|关于我)[\s，,]*/
const TIME_OPENING =
  /^((?:昨天|前天|今天|昨晚|今早|现在|目前|最近|今年|去年|前年|上周末?|上个?星期.?|上个?月|下周末?|下个?月|下个?星期.?|明天|后天|明年|周末|这个?周末|周[一二三四五六日]|平时|每天|每周末?|小时候|以前|曾经|这几天|这段时间|前几天|前段时间|[0-9]{1,2}月(?:[0-9]{1,2}[日号])?|[0-9一二三四五六七八九十两]{1,3}(?:天|周|个?月|年)前)(?:早上|上午|中午|下午|晚上)?)[\s，,]*(?=我)/

/**
 * What a Chinese clause with 我 as its subject says of its speaker.
 *
 * @param who 用户, or the speaker's name
 */
export function interpretChineseClause(given: string, who: string): Finding[] {
  let clause = given.trim()
  for (
    let stripped = clause.replace(OPENING, '');
    stripped !== clause;
    stripped = clause.replace(OPENING, '')
  )
    clause = stripped
  const time = TIME_OPENING.exec(clause)?.[1]
  // The time moves behind the subject, where patterns expect it: 昨天我去了 → 我昨天去了.
  if (time !== undefined) clause = clause.replace(TIME_OPENING, '').replace(/^(我们?)/, `$1${time}`)
  if (!clause.startsWith('我') || clause.length > 50) return []
  for (const { pattern, read } of CHINESE_FRAMES) {
    const match = pattern.exec(clause)
    if (match === null) continue
    const found = read(match.slice(1).map((group: string | undefined) => group ?? ''))
    if (found === null) continue
    const readings = 'key' in found ? [found] : found
    return readings.map(({ key, value, state = 'holds', type = 'persona', isEvent = false }) => ({
      key,
      value,
      state,
      type,
      isEvent,
      about: null,
      text: sayOf(clause, who),
    }))
  }
  return []
}

function sayOf(clause: string, who: string): string {
  const rest = clause.replace(/[\s。！!]+$/, '')
  const opening = rest.startsWith('我们') ? `${who}和别人` : who
  return `${opening}${rest
    .replace(/^我们?/, '')
    .replace(/我们/g, '他们')
    .replace(/我/g, '自己')}。`
}
