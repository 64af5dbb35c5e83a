// Renames the relation of a partner whom the user marries: “girlfriend Zoe” becomes “wife Zoe”.
import { isByModel, type Extractor, type Segment } from '../extraction/extractor.ts'
import { sentencesOf } from '../extraction/rules/hear-requests.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Memory } from '../memories/memory.ts'
import { originOf } from '../work/scope-view.ts'
import type { Turn } from '../turns/turn.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { currentFacts, questionFact } from './end-facts.ts'

/** Name of this step in the log. */
const STEP = 'weddings/1'

/** Renames the relation in facts about the partner, by weddings that rules read. A partner of another name is put in doubt. */
export function renamePartners(unit: UnitOfWork, { turns }: Segment, extractor: Extractor): void {
  if (isByModel(extractor)) return
  for (const turn of turns)
    for (const { text, quote } of turn.role === 'user' ? sentencesOf(turn) : []) {
      const groups = MARRIES.exec(text)?.groups
      if (groups === undefined) continue
      const name = Object.values(groups).find((group) => group !== undefined)
      const evidence = { turn: turn.id, quote }
      const facts = currentFacts(unit, turn).filter((fact) => isOfPartner(fact, evidence))
      if (name !== undefined) removeFormerRelation(unit, turn, evidence)
      const isOtherSpouse = name !== undefined && !facts.some((fact) => fact.text.includes(name))
      for (const fact of facts)
        if (isOtherSpouse) questionFact(unit, fact, { at: turn.at, evidence })
        else renameRelation(unit, fact, turn, evidence)
    }
}

/** Renames the relation in a fact. The former statement becomes a past version. */
function renameRelation(unit: UnitOfWork, fact: Memory, turn: Turn, evidence: Evidence): void {
  const { text, value, validFrom, past } = fact
  const rename = (words: string): string =>
    words.replace(RELATION, (relation) => RELATION_AFTER.get(relation) ?? relation)
  const former = { text, value, validFrom, validUntil: turn.at, evidence: fact.evidence }
  const isFromTurn = fact.evidence.some((source) => source.turn === turn.id)
  const change = {
    text: rename(text),
    value: value === null ? null : rename(value),
    validFrom: turn.at,
    past: validFrom < turn.at ? [...past, former] : past,
    evidence: isFromTurn ? fact.evidence : [...fact.evidence, evidence],
  }
  unit.changes.change('modify', fact.id, change, originOf(unit.engine, STEP))
}

/** Removes the former relation from the fact of the wedding: “got married to their girlfriend Zoe” becomes “got married to Zoe”. */
function removeFormerRelation(unit: UnitOfWork, turn: Turn, wedding: Evidence): void {
  for (const { id, key, text, evidence, origin } of currentFacts(unit, turn)) {
    const isWedding = key === 'marital-status' && evidence.every(({ quote }) => quote === wedding.quote)
    const renamed = text.replace(RELATION_BEFORE_NAME, '')
    if (isWedding && origin.model === null && renamed !== text)
      unit.changes.change('modify', id, { text: renamed }, originOf(unit.engine, STEP))
  }
}

/** Checks whether a fact is about the partner. A fact that another sentence of the same turn states is left unchanged. */
const isOfPartner = ({ key, text, evidence, origin }: Memory, wedding: Evidence): boolean =>
  (key === 'partner' || key === 'relatives') &&
  origin.model === null &&
  RELATION.test(text) &&
  evidence.every(({ turn, quote }) => turn !== wedding.turn || quote === wedding.quote)

/** Maps each relation before a wedding to the relation afterwards. */
const RELATION_AFTER = new Map([
  ['girlfriend', 'wife'],
  ['boyfriend', 'husband'],
  ['fiancée', 'wife'],
  ['fiancee', 'wife'],
  ['fiancé', 'husband'],
  ['engaged to', 'married to'],
  ...['女朋友', '女友', '未婚妻'].map((relation) => [relation, '妻子'] as const),
  ...['男朋友', '男友', '未婚夫'].map((relation) => [relation, '丈夫'] as const),
])
const RELATION = new RegExp([...RELATION_AFTER.keys()].join('|'))
/** Matches a relation before a name: “their girlfriend Zoe”. */
const RELATION_BEFORE_NAME = new RegExp(String.raw`\p{L}+ (?:${RELATION.source}),? (?=\p{Lu})`, 'u')
/** “my girlfriend ” before a name. */
const MY_PARTNER = String.raw`(?:my (?:${RELATION.source}|partner),? )?`
const NAME = String.raw`\p{Lu}\p{L}+`
/** When the wedding was: 上个月 in 我上个月娶了小桃. */
const CHINESE_TIME = '(?:[今昨前]天|刚刚?|终于|上个?[周月]|已经|去年|今年)*'
/** 女朋友 before a name. */
const CHINESE_MY_PARTNER = String.raw`(?:我?的?(?:${RELATION.source}))?`
/** The couple as the subject of a sentence: “we”, “Zoe and I”, “my girlfriend Zoe and I”. */
const COUPLE = String.raw`(?:[Ww]e|(?<name1>${NAME}) and I|I and (?<name2>${NAME})|[Mm]y \p{L}+ (?:(?<name3>${NAME}) )?and I)`
const GOT_MARRIED = '(?:got(?:ten)? (?:married|hitched)|tied the knot)'
/** Matches the user's wedding. One of the groups `name1` to `name6` is the spouse, because each alternative needs a group of its own. */
const MARRIES = new RegExp(
  [
    // “Zoe and I finally got married”
    String.raw`^\W*${COUPLE}(?:['’]ve| have)?(?: just| finally)? ${GOT_MARRIED}\b`,
    // “I married my girlfriend Zoe”
    String.raw`^\W*I(?:['’]ve)?(?: just| finally)? (?:got(?:ten)? )?married (?:to )?(?:${MY_PARTNER}(?<name4>${NAME})|my (?:${RELATION.source})\b)`,
    // 我和女朋友小桃结婚了
    String.raw`^我(?:们俩?|俩|${CHINESE_TIME}[和跟与同]${CHINESE_MY_PARTNER}(?<name5>\p{Script=Han}{1,4}?))${CHINESE_TIME}(?:结婚|领证|领了证|完婚)`,
    // 我娶了小美
    String.raw`^我${CHINESE_TIME}(?:娶了|嫁给了?)${CHINESE_MY_PARTNER}(?<name6>\p{Script=Han}{1,4}?)了?(?=$|[，,。！!])`,
  ].join('|'),
  'u',
)
