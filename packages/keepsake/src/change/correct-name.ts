// Corrects a name in the other facts that state it, after an edit by which the name was a mistake.
import { replaceWords } from '@keepsake/text'
import { isSameRelation } from '../entities/read-relations.ts'
import { relationGraph } from '../entities/relation-graph.ts'
import { isNamedIn, relationsTo } from '../entities/same-name.ts'
import { markCorrected } from '../memories/evidence.ts'
import type { Memory, Origin, PastVersion } from '../memories/memory.ts'
import { nameTest } from '../requests/topic-names.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'

interface WrongName {
  readonly wrong: string
  readonly right: string
}

/** Finds a name of the former text that the new text replaces by other words. */
async function findWrongName(
  { engine, row, state }: UnitOfWork,
  former: string,
  text: string,
): Promise<WrongName | null> {
  const { aliases } = await relationGraph(state, [row.scope], engine.now())
  const names = [...aliases.values()].flatMap((aliasesOfOne) => [...aliasesOfOne])
  const missingNames = names.filter((name) => isNamedIn(former, name) && !isNamedIn(text, name))
  for (const wrong of missingNames) {
    const [before = '', after = ''] = former.split(wrong)
    const right = text.slice(before.length, text.length - after.length).trim()
    if (right !== '' && text === `${before}${right}${after}`) return { wrong, right }
  }
  return null
}

/** Replaces a name in the facts of the scope that state it, unless they relate another person of that name. */
export async function correctNameElsewhere(
  unit: UnitOfWork,
  edited: Memory,
  text: string,
  why: { readonly origin: Origin; readonly parent: string },
): Promise<void> {
  const { row, state, changes } = unit
  const name = await findWrongName(unit, edited.text, text)
  if (name === null) return
  const relations = relationsTo(name.wrong, edited.text)
  const facts = [...state.facts(row.scope).live()]
  const isNamed = nameTest(
    name.wrong,
    facts.map((fact) => fact.text),
  )
  for (const fact of facts) {
    if (fact.id === edited.id || !isNamed(fact.text)) continue
    const relationsOfFact = relationsTo(name.wrong, fact.text)
    // Facts that relate someone of this name in another way are about another person.
    const isSame = relationsOfFact.some((relation) =>
      relations.some((other) => isSameRelation(relation, other)),
    )
    if (relationsOfFact.length === 0 || relations.length === 0 || isSame)
      changes.change('modify', fact.id, correctFields(fact, name), why)
  }
}

function correctFields({ subject, past, ...fact }: Memory, name: WrongName): Partial<Memory> {
  const replace = (words: string): string => replaceWords(words, name.wrong, name.right) ?? words
  const correct = <Version extends Pick<PastVersion, 'text' | 'value' | 'evidence'>>({
    text,
    value,
    evidence,
  }: Version) => ({
    text: replace(text),
    value: value === null ? null : replace(value),
    evidence: evidence.flatMap((source) =>
      source.quote !== null && isNamedIn(source.quote, name.wrong) ? markCorrected([source]) : [source],
    ),
  })
  return {
    ...correct(fact),
    subject: subject === name.wrong ? name.right : subject,
    past: past.map((version) => ({ ...version, ...correct(version) })),
  }
}
