import { describe, expect, it } from 'vitest'
import { openMemory } from 'keepsake'
import { presetNamed, type PresetName } from '@keepsake/papers'

const DAY = 86_400_000
const OVER = "I've called off the trip to the Azores, I'm no longer planning it."
const START = Date.UTC(2026, 2, 2, 9)

/** Somebody's words, a day apart, each consolidated before the next. */
async function heard(preset: PresetName, ...said: readonly string[]) {
  let now = START
  const keepsake = await openMemory({ path: ':memory:', preset: presetNamed(preset), now: () => now })
  const scope = keepsake.scope({ user: 'mara' })
  const say = async (text: string) => {
    await scope.remember([{ role: 'user', text, at: now }], { session: 's' })
    await keepsake.drain()
    now += DAY
  }
  for (const text of said) await say(text)
  const facts = async () => scope.memories({ forms: ['fact'] })
  const lines = async () =>
    (await facts()).map(({ text, validUntil }) => (validUntil === null ? text : `(${text})`))
  return { scope, keepsake, say, facts, lines }
}

describe('the default without a model', () => {
  it('ends what is told to be over in words that no rule reads', async () => {
    const { lines } = await heard('keepsake', "I'm planning a trip to the Azores this year.", OVER)
    expect(await lines()).toEqual(['(The user is planning a trip to the Azores this year.)'])
  })

  it('has something new in the place of what changes, with what it was as past', async () => {
    const { facts } = await heard(
      'keepsake',
      'I help out at the harbour museum in my free time.',
      'I no longer help out at the harbour museum, I hand out soup from a night bus now.',
    )
    expect(await facts()).toMatchObject([
      {
        text: 'The user said: I no longer help out at the harbour museum, I hand out soup from a night bus now.',
        validFrom: START + DAY,
        past: [
          { text: 'The user helps out at the harbour museum in their free time.', validUntil: START + DAY },
        ],
      },
    ])
  })

  it('does so in Chinese', async () => {
    const { lines } = await heard('keepsake', '我最近在学葡萄牙语。', '葡萄牙语我不学了，改学日语了。')
    expect(await lines()).toEqual(['用户说：葡萄牙语我不学了，改学日语了。'])
  })

  it('leaves alone what is only talked of', async () => {
    const told = "I'm planning a trip to the Azores this year."
    const { lines } = await heard('keepsake', told, 'The Azores must be lovely in May, everybody says so.')
    expect(await lines()).toContain('The user is planning a trip to the Azores this year.')
  })

  it('never touches what is pinned', async () => {
    const { scope, say, facts, lines } = await heard(
      'keepsake',
      "I'm planning a trip to the Azores this year.",
    )
    await scope.pin((await facts())[0]?.id ?? '')
    await say(OVER)
    expect(await lines()).toEqual(['The user is planning a trip to the Azores this year.'])
  })

  it('does not hear the agent', async () => {
    const { scope, keepsake, lines } = await heard('keepsake', "I'm planning a trip to the Azores this year.")
    const at = START + DAY
    await scope.remember([{ role: 'assistant', text: "So you've called off the trip to the Azores.", at }], {
      session: 's',
    })
    await scope.endSession('s')
    await keepsake.drain()
    expect(await lines()).toEqual(['The user is planning a trip to the Azores this year.'])
  })

  it('can be undone', async () => {
    const { scope, facts, lines } = await heard(
      'keepsake',
      "I'm planning a trip to the Azores this year.",
      OVER,
    )
    const [fact] = await facts()
    const [last] = (await scope.admin.history(fact?.id ?? '')).toReversed()
    await scope.undo(last?.id ?? '')
    expect(await lines()).toEqual(['The user is planning a trip to the Azores this year.'])
  })
})

describe('mmm without a model', () => {
  it('keeps what rules do not draw in the user’s own words, and changes it', async () => {
    const { lines, say } = await heard('mmm', 'On my bedside table there is a history of salt, half read.')
    expect(await lines()).toEqual([
      'The user said: On my bedside table there is a history of salt, half read.',
    ])
    await say("I've finished the history of salt and started on a family saga from Iceland.")
    expect(await lines()).toEqual([
      "The user said: I've finished the history of salt and started on a family saga from Iceland.",
    ])
  })

  it('reads rounds that come all at once in their order', async () => {
    const keepsake = await openMemory({
      path: ':memory:',
      preset: presetNamed('mmm'),
      now: () => START + DAY,
    })
    const scope = keepsake.scope({ user: 'mara' })
    const said = [
      'On my bedside table there is a history of salt, half read.',
      "I've finished the history of salt and started on a family saga from Iceland.",
    ]
    await scope.remember(said.map((text, at) => ({ role: 'user' as const, text, at: START + at * 60_000 })))
    await scope.endSession()
    await keepsake.drain()
    const [fact, ...others] = await scope.memories({ forms: ['fact'] })
    expect(others).toEqual([])
    expect(fact?.past.map(({ text }) => text)).toEqual([`The user said: ${said[0] ?? ''}`])
  })

  it('keeps no small talk, and nothing of what is only asked', async () => {
    const { lines } = await heard('mmm', 'How are you today?', 'What is the capital of Peru?')
    expect(await lines()).toEqual([])
  })

  it('drops what is over, as MMM has it', async () => {
    const { lines } = await heard(
      'mmm',
      'I help out at the harbour museum once a week.',
      "I've stopped helping out at the harbour museum, I'm no longer there at all.",
    )
    expect(await lines()).toEqual([])
  })

  it('drops what it kept when somebody asks for it', async () => {
    const { lines } = await heard(
      'mmm',
      'On my bedside table there is a history of salt, half read.',
      'Please forget the history of salt.',
    )
    expect(await lines()).toEqual([])
  })
})
