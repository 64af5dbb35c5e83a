// Finds pasted transcripts by the labels of their speakers. Called by mask-unspoken.ts.
import { either } from '../pattern.ts'
import { CHINESE_SURNAMES, isTopic, namesTopic } from './topic-labels.ts'
import { opensElsewhere, opensOwnChinese } from './own-leads.ts'
import { endOfParagraph, type IntroducedText } from './find-introduced.ts'
import { isEmpty, type Line, type Stretch } from './stretch.ts'

interface SpeakerLabel {
  /** Index of the line. */
  readonly at: number
  readonly name: string
  /** Whether the label has a time. Users put no time before their own statements. */
  readonly isStamped: boolean
}

/** Finds transcripts: lines that begin with a speaker's name, and their continuation lines. */
export function findDialogue({ text, lines }: IntroducedText): Stretch[] {
  const labelled = lines.flatMap((line, i) => labelOf(line, text, i) ?? [])
  if (labelled.length === 0) return []
  const speaking = labelled.filter((label) => label.isStamped || isSpeaker(label.name))
  const names = labelled.map(({ name }) => name.toLowerCase())
  const isRepeated =
    labelled.length >= 3 && new Set(names).size < names.length && names.some((name) => !isTopic(name))
  const found = isRepeated || speaking.length * 2 >= labelled.length ? labelled : speaking
  if (speaking.length === 0 && !isRepeated) return []
  return found.map(({ at }, index) => {
    const next = found[index + 1]?.at
    const end = next === undefined ? endOfParagraph(lines, at) : (lines[next - 1]?.end ?? 0)
    return { start: lines[at]?.start ?? 0, end: Math.max(end, lines[at]?.end ?? 0) }
  })
}

/** Reads the label from the original text, since emphasis around a name is redacted in the marked lines. */
function labelOf(line: Line, text: string, index: number): SpeakerLabel | null {
  if (isEmpty(line) && text.slice(line.start, line.end).trim() === '') return null
  const match = LABELLED.exec(text.slice(line.start, Math.min(line.end, line.start + 160)))
  const { name = '', stamp, behind } = match?.groups ?? {}
  if (match === null || /^(?:\d+|[年月日号点时分]+)$/.test(name)) return null
  return { at: index, name: name.trim(), isStamped: isStamp(stamp) || isStamp(behind) }
}

function isStamp(stamp: string | undefined): boolean {
  return stamp !== undefined && /\d[:.]\d\d|\d{4}|\d[/-]\d/.test(stamp)
}

/** Reports whether a label is a speaker's name and not a topic. */
export function isSpeaker(name: string): boolean {
  if (ROLE.test(name)) return true
  const isLabel = isTopic(name) || namesTopic(name) || opensOwnChinese(name) || opensElsewhere(name)
  if (isLabel || /[说问讲写道答喊]$/u.test(name)) return false
  return /\p{Script=Han}/u.test(name) ? NAMED_ZH.test(name) : NAMED.test(name)
}

/** Matches a time or a number in brackets before a speaker's name, as in exported chats. */
const STAMP = String.raw`(?:[\[(（]?[\d/.:,\-\sT]{4,24}(?:\s?[AaPp]\.?[Mm]\.?)?Z?[\])）]?\s*[-–—:]?\s*)`
const NAME = String.raw`(?<name>[@<＜【[]?[\p{L}\p{N}](?:[\p{L}\p{N} .'’_#-]{0,38}[\p{L}\p{N}.])?[>＞】\]]?)`
const ASIDE = String.raw`(?:\s*[(（\[][^)）\]\n]{1,40}[)）\]])?`
/** Matches “Anna: …”, “[10:32] **Anna** (she/her): …” and “<anna> …”. */
const LABELLED = new RegExp(
  String.raw`^\s*(?:[-*•#]+\s*)?(?<stamp>${STAMP})?[*_]{0,2}${NAME}${ASIDE}[*_]{0,2}(?:\s*[,，]?\s*(?<behind>${STAMP}))?(?:\s*[:：][*_]{0,2}(?=\s|$|[^\d\s/])|(?<=[>＞】\]])\s)`,
  'u',
)
/** Roles that label a speaker: “assistant”, “patient”, 客服. */
const ROLE_NAMES = either(
  /users?|assistant|system|human|ai|bot|chatbot|agent|model|llm|gpt|chatgpt|claude|developer|tool|function|observation|thought|client/u,
  /customer|caller|operator|support|therapist|counsell?or|doctor|dr|nurse|patient|interviewer|interviewee|interview|host|guest|narrator/u,
  /moderator|speaker|participant|respondent|teacher|student|witness|judge|lawyer|attorney|officer|seller|buyer|admin|sender|recipient/u,
  /author|op|q|a|person|party|man|woman|boy|girl|voice|mum|mom|dad|mother|father|husband|wife|boss|friend/u,
  /用户|助手|系统|客服|机器人|人工智能|模型|医生|患者|病人|护士|主持人|嘉宾|旁白|问|答|记者|受访者|采访者|老师|学生|甲|乙|丙|男|女|顾客|客户|卖家|买家|作者|楼主|网友|妈妈|爸爸|老公|老婆|朋友|同事|老板|对方|工具/u,
)
/** Matches a speaker who is named by a role, not by a name. */
const ROLE = new RegExp(
  String.raw`^[@<＜【[]?(?:${ROLE_NAMES})(?:[\s#_-]*(?:\d{1,3}|[a-z]))?[>＞】\]]?$`,
  'iu',
)
/** Matches “Anna”, “Anna Berg”, “O. Berg” and “@anna”. */
const NAMED =
  /^(?:[@<＜【[].+|\p{Lu}[\p{L}'’.-]*(?:\s+(?:\p{Lu}[\p{L}'’.-]*|de|von|van|der|la|el|bin|\d+)){0,3})$/u
const NAMED_ZH = new RegExp(
  String.raw`^(?:[小老阿]\p{Script=Han}{1,2}|${CHINESE_SURNAMES}\p{Script=Han}{1,2}|\p{Script=Han}{1,4}(?:先生|女士|小姐|老师|医生|经理|同学|阿姨|叔叔|哥|姐))$`,
  'u',
)
