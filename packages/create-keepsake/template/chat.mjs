// Handles one message of a user: recalls, answers and remembers.

const INSTRUCTIONS = 'You are a warm, attentive friend. Answer in a few sentences, and ask back now and then.'

/**
 * Answers a message in steps: the recalled memories, pieces of the text, the learned facts.
 *
 * @param {import('keepsake').ScopedMemory} person
 * @param {string} text the user's message
 * @param {boolean} hasModel
 */
export async function* answer(person, text, hasModel) {
  const before = new Set((await learned(person)).map(({ id }) => id))
  yield* hasModel ? answerByModel(person, text) : answerByRules(person, text)
  // Facts are extracted in the background. Waits for them, to show them with the answer.
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
 * Answers without a model: a question with the best memory, and anything else with a confirmation.
 *
 * @param {import('keepsake').ScopedMemory} person @param {string} text
 */
async function* answerByRules(person, text) {
  const recall = await person.recall(text, { limit: 3 })
  yield recalled(recall)
  const isQuestion = /[?？]\s*$/.test(text)
  const best = recall.known ? recall.memories[0] : undefined
  const quote = best?.evidence[0]?.text ?? best?.memory.text
  const reply = quote === undefined ? 'I don’t know that yet. Tell me?' : `You said: “${quote}”`
  yield { kind: 'text', text: isQuestion ? reply : 'I’ll remember that.' }
  // Questions and answers by rules state no facts, so they are not remembered.
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
 * Lists the known facts, latest first.
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
