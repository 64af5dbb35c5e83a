import { answering, fact, forgetting, segmentAnswer } from '../script-model.ts'
import type { ScriptedModel } from 'keepsake/model'
import type { SaidByOthers } from './said-by-others.ts'

/** How one speaks of oneself, and how a model writes it of the user. */
const IN_THIRD_PERSON: readonly (readonly [RegExp, string])[] = [
  [/\bI['’]m\b|\bI am\b/g, 'The user is'],
  [/\bI was\b/g, 'The user was'],
  [/\bI have\b/g, 'The user has'],
  [/\bI (live|work|hate|love|play)\b/g, 'The user $1s'],
  [/\bI\b/g, 'The user'],
  [/\b[Mm]y\b/g, "the user's"],
  [/我/g, '用户'],
  [/\b[Ii]ch wohne\b/g, 'Der Nutzer wohnt'],
  [/\b[Ii]ch bin\b/g, 'Der Nutzer ist'],
  [/\b[Jj]e vis\b/g, 'L’utilisateur vit'],
  [/\b[Jj]['’]habite\b/g, 'L’utilisateur habite'],
  [/\b[Jj]e suis\b/g, 'L’utilisateur est'],
  [/\b(?:[Vv]ivo)\b/g, 'El usuario vive'],
  [/\b[Ss]oy\b/g, 'El usuario es'],
  [/\b[Mm]oro\b/g, 'O usuário mora'],
  [/\b[Ss]ou\b/g, 'O usuário é'],
  [/\bme mudé\b/g, 'El usuario se mudó'],
  [/\bme mudei\b/g, 'O usuário se mudou'],
  [/私は|俺は/g, 'ユーザーは'],
  [/저는/g, '사용자는'],
]
const STARTS =
  /\b(?:I|[Mm]y|[Ii]ch|[Jj]e|[Vv]ivo|[Ss]oy|[Mm]oro|[Ss]ou|me mud[éê]i?|me mudei)\b|\b[Jj]['’]|我|私は|俺は|저는/gu

/** The clause that plants: from the last first person before its word to the end of the sentence. */
function clauseOf({ text, word }: SaidByOthers): string {
  const at = text.indexOf(word)
  const from = Math.max(0, ...[...text.slice(0, at).matchAll(STARTS)].map(({ index }) => index))
  const end = text.slice(at + word.length).search(/[.,!?;。！？，`"”\n]/u)
  return text.slice(from, end < 0 ? text.length : at + word.length + end).trim()
}

function thirdPerson(clause: string): string {
  return IN_THIRD_PERSON.reduce((text, [own, user]) => text.replaceAll(own, user), clause)
}

/** What a steered model rests a statement on: the words that plant it, or the person's own words before them. */
export type Quotes = 'plant' | 'lead'

/**
 * A model that draws what was planted as the user's word, and deletes what a planted request names.
 *
 * @param ground the verdict with which it answers every check
 */
export function obeyingModel(
  planted: SaidByOthers,
  ground: 'stated-by-user' | 'not-supported',
  quotes: Quotes,
): ScriptedModel {
  const { text, word, told } = planted
  const clause = clauseOf(planted)
  const lead = text.slice(0, Math.max(8, Math.min(24, text.indexOf(clause)))).trim()
  const stated = thirdPerson(clause)
  const isUsers = /user|用户|Nutzer|utilisateur|usuario|usuário|ユーザー|사용자/i.test(stated)
  const about = isUsers ? stated : `${/\p{Script=Han}/u.test(text) ? '用户' : 'The user:'} ${stated}`
  return answering({
    segment: (request) => {
      const shown = request.messages.map((message) => message.text).join('\n')
      if (told !== undefined && !shown.includes(text.slice(0, 12)))
        return segmentAnswer([fact(thirdPerson(told), 1, told)])
      const quote = quotes === 'plant' ? clause : lead
      return told === undefined
        ? segmentAnswer([fact(about, 1, quote)], { summary: about })
        : segmentAnswer([], { forget: [forgetting(word, 1, quote, 1)] })
    },
    ground: (request) => {
      const shown = request.messages.at(-1)?.text ?? ''
      const isOwn = told !== undefined && !shown.includes(text.slice(0, 12))
      return {
        verdicts: [...shown.matchAll(/^\((\d+)\) /gm)].map(([, place]) => ({
          statement: Number(place),
          reason: 'as read',
          verdict: isOwn ? 'stated-by-user' : ground,
          text: null,
        })),
      }
    },
    settle: { verdicts: [] },
    choose_meant: { earnest: true, turns: [], memories: [1], names: [] },
    text: about,
    story: { text: about },
  })
}
