// Renames the relation of a partner whom the user marries: “girlfriend Zoe” becomes “wife Zoe”.
import { isByModel, type Extractor, type Segment } from '../extraction/extractor.ts'
import { sentencesOf } from '../extraction/rules/hear-requests.ts'
import type { Memory } from '../memories/memory.ts'
import { originOf } from '../work/scope-view.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { currentFacts, questionFact } from './end-facts.ts'

/** Name of this step in the log. */
const STEP = 'weddings/1'
/** Matches the user's wedding, and whom they marry: “Zoe and I got married”, “I married Zoe”, 我和小美结婚了. */
const MARRIES =
  /^\W*(?:(?:[Ww]e|(?<one>\p{Lu}\p{L}+) and I|I and (?<two>\p{Lu}\p{L}+)|[Mm]y \p{L}+ (?:(?<three>\p{Lu}\p{L}+) )?and I)(?:['’]ve| have)?(?: just| finally)? (?:got(?:ten)? (?:married|hitched)|tied the knot)\b|I(?:['’]ve)?(?: just| finally)? married (?<four>\p{Lu}\p{L}+))|^我(?:们俩?|俩|[和跟与同](?<five>\p{Script=Han}{1,4}?))(?:[今昨前]天|刚刚?|终于|上个?[周月]|已经|去年)*(?:结婚|领证|领了证|完婚)/u
/** What relations are called after a wedding. */
const AFTER = new Map([
  ['girlfriend', 'wife'],
  ['boyfriend', 'husband'],
  ['fiancée', 'wife'],
  ['fiancé', 'husband'],
  ['engaged to', 'married to'],
  ...['女朋友', '女友', '未婚妻'].map((relation) => [relation, '妻子'] as const),
  ...['男朋友', '男友', '未婚夫'].map((relation) => [relation, '丈夫'] as const),
])
const RELATION = new RegExp([...AFTER.keys()].join('|'))

/** Renames what is known of a partner by weddings that rules read. A partner of another name is put in doubt. */
export function renamePartners(unit: UnitOfWork, { turns }: Segment, extractor: Extractor): void {
  if (isByModel(extractor)) return
  for (const turn of turns)
    for (const { text, quote } of turn.role === 'user' ? sentencesOf(turn) : []) {
      const names = MARRIES.exec(text)?.groups
      if (names === undefined) continue
      const name = Object.values(names).find((one) => one !== undefined)
      const evidence = { turn: turn.id, quote }
      const facts = currentFacts(unit, turn).filter((fact) => isOfPartner(fact, turn.id))
      const isOther = name !== undefined && !facts.some((fact) => fact.text.includes(name))
      for (const fact of facts)
        if (isOther) questionFact(unit, fact, { at: turn.at, evidence })
        else {
          const { value, validFrom, past } = fact
          const rename = (words: string) =>
            words.replace(RELATION, (relation) => AFTER.get(relation) ?? relation)
          const former = { text: fact.text, value, validFrom, validUntil: turn.at, evidence: fact.evidence }
          const renamed = { text: rename(fact.text), value: value === null ? null : rename(value) }
          const change = {
            ...renamed,
            validFrom: turn.at,
            past: [...past, former],
            evidence: [...fact.evidence, evidence],
          }
          unit.changes.change('modify', fact.id, change, originOf(unit.engine, STEP))
        }
    }
}

const isOfPartner = ({ key, text, evidence, origin }: Memory, turn: string): boolean =>
  (key === 'partner' || key === 'relatives') &&
  origin.model === null &&
  RELATION.test(text) &&
  evidence.every((source) => source.turn !== turn)
