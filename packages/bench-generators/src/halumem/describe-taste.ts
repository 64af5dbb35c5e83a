import type { TalkLanguage } from '../material/told-kind.ts'
import type { TasteChange } from './prompts/life-skeleton.ts'
import type { PersonaAnswer } from './prompts/persona.ts'

/** What is liked and disliked of one category, in words. */
export function describeTastes(
  { category, likes, dislikes }: PersonaAnswer['preferences'][number],
  language: TalkLanguage,
): string {
  const [colon, comma, between] = language === 'zh' ? ['：', '、', '；'] : [': ', ', ', '; ']
  const [like, dislike] = language === 'zh' ? ['喜欢', '不喜欢'] : ['likes ', 'dislikes ']
  const parts = [
    ...(likes.length === 0 ? [] : [like + likes.join(comma)]),
    ...(dislikes.length === 0 ? [] : [dislike + dislikes.join(comma)]),
  ]
  return category + colon + parts.join(between)
}

/** A change of taste in words that leave no doubt whether something came to be liked or disliked. */
export function describeTasteChange(change: TasteChange, language: TalkLanguage): string {
  return language === 'zh' ? inChinese(change) : inEnglish(change)
}

function inEnglish({ category, attitude, before, after }: TasteChange): string {
  const over = before === null ? [] : [`no longer ${attitude} ${before}`]
  const fresh = after === null ? [] : [`${before === null ? 'newly' : 'now'} ${attitude} ${after}`]
  return `${category}: ${[...over, ...fresh].join(', ')}`
}

function inChinese({ category, attitude, before, after }: TasteChange): string {
  const [now, over] = attitude === 'likes' ? ['喜欢', '不再喜欢'] : ['不喜欢', '不再讨厌']
  const parts = [
    ...(before === null ? [] : [over + before]),
    ...(after === null ? [] : [(before === null ? '开始' : '现在') + now + after]),
  ]
  return `${category}：${parts.join('，')}`
}
