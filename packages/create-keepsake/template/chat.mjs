// Handles one message of a user: recalls, answers and remembers.

const INSTRUCTIONS = 'You are a warm, attentive friend. Answer in a few sentences, and ask back now and then.'

/**
 * Answers, piece by piece: what was recalled, the text, what was learned.
 *
 * @param {import('keepsake').ScopedMemory} person
 * @param {string} text what they said
 * @param {boolean} hasModel
 */
export async function* answer(person, text, hasModel) {
  const before = new Set((await learned(person)).map(({ id }) => id))
  yield* hasModel ? answerByModel(person, text) : answerByRules(person, text)
  // What is drawn from the exchange is drawn in the background: here it is waited for, to be shown.
  await person.drain()
  const facts = await learned(person)
  yield { kind: 'learned', facts, added: facts.filter(({ id }) => !before.has(id)).map(({ id }) => id) }
}

/** @param {import('keepsake').ScopedMemory} person @param {string} text */
async function* answerByModel(person, text) {
  const reply = await person.reply({ role: 'user', text }, { instructions: INSTRUCTIONS })
  yield recalled(reply.recall)
  for await (const piece of reply.textStream) yield { kind: 'text', text: piece }
  await reply.remembered
}

/**
 * Without a model: a question is answered by what was said about it, and all else is noted.
 *
 * @param {import('keepsake').ScopedMemory} person @param {string} text
 */
async function* answerByRules(person, text) {
  const recall = await person.recall(text, { limit: 3 })
  yield recalled(recall)
  const isQuestion = /[?？]\s*$/.test(text)
  const best = recall.known ? recall.memories[0] : undefined
  const said = best?.evidence[0]?.text ?? best?.memory.text
  const words = !isQuestion
    ? 'I’ll remember that.'
    : said === undefined
      ? 'I don’t know that yet. Tell me?'
      : `You said: “${said}”`
  yield { kind: 'text', text: words }
  // A question states no fact, and neither does an answer by rules.
  if (!isQuestion) await person.remember({ role: 'user', text })
}

/** @param {import('keepsake').Recall} recall */
function recalled({ memories }) {
  return {
    kind: 'recalled',
    memories: memories.slice(0, 5).map(({ memory, evidence }) => ({
      id: memory.id,
      text: memory.text,
      said: evidence[0]?.text ?? null,
      at: evidence[0]?.at ?? memory.learnedAt,
    })),
  }
}

/**
 * What is known, the latest first.
 *
 * @param {import('keepsake').ScopedMemory} person
 */
export async function learned(person) {
  const facts = await person.memories({ forms: ['fact'] })
  return facts
    .map(({ id, text, learnedAt, evidence }) => ({
      id,
      text,
      at: learnedAt,
      said: evidence[0]?.quote ?? null,
    }))
    .toReversed()
}
